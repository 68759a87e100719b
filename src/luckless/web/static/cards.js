// Cards: small boxes with rank and suit, and words for screen readers.
import {make} from "./lib.js";

const SUITS = {s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"]};
const RANKS = {A: "ace", K: "king", Q: "queen", J: "jack", T: "ten"};

export function card(text) {
  if (!text) return make("span", {class: "card face back", role: "img", "aria-label": "hidden card"});
  const [sign, suit] = SUITS[text[1]];
  const rank = text[0] === "T" ? "10" : text[0];
  return make("span", {class: `card face ${text[1]}`, role: "img", "aria-label": `${RANKS[text[0]] || text[0]} of ${suit}`},
    make("b", {"aria-hidden": "true"}, rank), make("i", {"aria-hidden": "true"}, sign));
}

export const cards = texts => make("span", {class: "cards"}, ...texts.map(card));
