// Walks a solution: the line so far, the actions of a node, and the 13 x 13 grid by strategy, equity or EV.
import {ask, data, make, whole} from "./lib.js";
import {card} from "./cards.js";

const place = id => document.getElementById(id);
const walk = place("walk");
const {node: first, colours} = data();
let node = first;
let busy = false;

const mode = () => document.querySelector('input[name="mode"]:checked').value;
const percent = share => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

async function go(line, remember = true) {
  if (busy) return;
  busy = true;
  walk.setAttribute("aria-busy", "true");
  place("problem").hidden = true;
  try {
    node = (await ask(`${walk.dataset.address}?line=${encodeURIComponent(line.join(" "))}`)).node;
    const query = line.length ? `?line=${encodeURIComponent(line.join(" "))}` : "";
    if (remember) history.pushState(line, "", walk.dataset.page + query);
    show();
  } catch (error) {
    place("problem").textContent = error.message;
    place("problem").hidden = false;
  }
  busy = false;
  walk.removeAttribute("aria-busy");
}

function line() {
  const steps = [{who: "", text: "start"}, ...node.steps];
  place("line").replaceChildren(...steps.map((step, at) => make("li", {}, make("button", {type: "button", "aria-current": at === steps.length - 1 ? "step" : null, onclick: () => go(node.line.slice(0, at))},
    step.who && step.who !== "card" ? make("span", {class: "quiet"}, step.who) : null, step.text))));
}

function mean(values) {
  const known = node.cells.filter(cell => cell.weight > 0 && values(cell) !== null);
  const total = known.reduce((sum, cell) => sum + cell.weight, 0);
  return total ? known.reduce((sum, cell) => sum + cell.weight * values(cell), 0) / total : 0;
}

function side() {
  place("board").replaceChildren(...node.board.map(card));
  const chips = `pot ${whole(node.pot)}, behind ${node.behind.map(whole).join(" and ")} chips`;
  place("where").textContent = node.over ? `The hand ends here by ${node.over}; ${chips}.`
    : node.player ? `The ${node.player} player decides on the ${node.street}; ${chips}. He brings ${percent(node.reach)} of his range, equity ${percent(mean(cell => cell.equity))}, EV ${mean(cell => cell.ev).toFixed(2)} chips.`
    : `A card comes; ${chips}.`;
  place("actions").replaceChildren(...node.actions.map((action, at) => {
    const button = make("button", {type: "button", "data-word": action.word, onclick: () => go([...node.line, action.word])}, make("span", {class: "swatch"}), action.text, make("b", {}, percent(action.share)));
    button.firstChild.style.background = colours[at % colours.length];
    return button;
  }));
  place("cards").replaceChildren(...node.cards.map(one => make("button", {type: "button", "data-card": one.card, title: one.many > 1 ? `stands for ${one.many} cards that differ in suit alone` : "", onclick: () => go([...node.line, one.card])}, card(one.card))));
  place("detail").replaceChildren();
}

function look(cell) {
  if (!cell.weight) return ["", "–"];
  if (mode() === "equity") return [`color-mix(in srgb, #d08a2e ${Math.round(100 * cell.equity)}%, #6f9dbb)`, percent(cell.equity)];
  if (mode() === "EV") {
    const all = node.cells.filter(one => one.ev !== null).map(one => one.ev), low = Math.min(...all), high = Math.max(...all);
    return [`color-mix(in srgb, #d08a2e ${Math.round(100 * (cell.ev - low) / Math.max(high - low, 1e-9))}%, #6f9dbb)`, cell.ev.toFixed(Math.abs(cell.ev) < 100 ? 1 : 0)];
  }
  let at = 0;
  const stops = cell.shares.map((share, action) => `${colours[action % colours.length]} ${(100 * at).toFixed(1)}% ${(100 * (at += share)).toFixed(1)}%`);
  return [`linear-gradient(90deg, ${stops.join(", ")})`, ""];
}

function words(cell) {
  if (!cell.weight) return `${cell.label}: not in the range here`;
  return `${cell.label}: ${cell.shares.map((share, at) => `${node.actions[at].text} ${percent(share)}`).join(", ")}; equity ${percent(cell.equity)}, EV ${cell.ev.toFixed(2)} chips`;
}

function detail(cell) {
  const hands = node.hands.filter(([name]) => kind(name) === cell.label);
  place("detail").replaceChildren(make("h3", {}, words(cell)),
    hands.length ? make("div", {class: "scroll"}, make("table", {}, make("thead", {}, make("tr", {}, ...["hand", "weight", ...node.actions.map(action => action.text), "equity", "EV (chips)"].map(name => make("th", {class: "number"}, name)))),
      make("tbody", {}, ...hands.map(([name, weight, shares, ev, equity]) => make("tr", {}, make("td", {}, name), ...[weight.toFixed(2), ...shares.map(percent), equity === null ? "–" : percent(equity), ev === null ? "–" : ev.toFixed(2)].map(text => make("td", {class: "number"}, text))))))) : "");
}

const RANKS = "AKQJT98765432";
function kind(name) {
  const [one, two] = [name[0], name[2]].sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b));
  return one === two ? one + two : one + two + (name[1] === name[3] ? "s" : "o");
}

function grid() {
  const rows = [];
  for (let row = 0; row < 13 && node.cells.length; row += 1)
    rows.push(make("div", {role: "row"}, ...node.cells.slice(13 * row, 13 * row + 13).map((cell, column) => {
      const [background, text] = look(cell);
      const button = make("button", {type: "button", role: "gridcell", class: cell.weight ? "held" : "none", tabindex: row || column ? -1 : 0, title: words(cell), "aria-label": words(cell), onclick: () => detail(cell), onfocus: () => detail(cell)}, make("span", {}, cell.label), text ? make("small", {}, text) : "");
      if (background) button.style.background = background;
      return button;
    })));
  place("grid").replaceChildren(...rows);
  place("legend").textContent = node.cells.length ? {strategy: "Each bar is split by how often the hand takes each action (colours as on the left).", equity: `Share of the pot against what the other player brings here${node.sampled ? ", on 60 drawn run-outs" : ""}.`, EV: "Chips that the hand takes out of the pot from here on; a fold takes 0."}[mode()] : "";
}

function show() { line(); side(); grid(); place("json").href = `${walk.dataset.address}?line=${encodeURIComponent(node.line.join(" "))}`; }

if (walk) {
  for (const input of document.querySelectorAll('input[name="mode"]')) input.addEventListener("change", grid);
  window.addEventListener("popstate", () => go((new URLSearchParams(location.search).get("line") || "").split(" ").filter(Boolean), false));
  place("grid").addEventListener("keydown", event => {
    const cells = [...place("grid").querySelectorAll("button")];
    const at = cells.indexOf(document.activeElement);
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13}[event.key];
    if (step && cells[at + step]) { event.preventDefault(); cells[at].tabIndex = -1; cells[at + step].tabIndex = 0; cells[at + step].focus(); }
  });
  show();
}
