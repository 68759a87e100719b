// A table: what the person sees, what can be done by mouse and by keys, and what the hands came to.
import {ask, data, make, signed, tell, whole} from "./lib.js";
import {card, cards} from "./cards.js";

const address = document.getElementById("data").dataset.address;
const key = document.querySelector('meta[name="luckless-key"]').content;
const place = id => document.getElementById(id);
let state = data();
let busy = false;
let watching = null;

const chips = number => `${whole(number)}`;
const blinds = number => `${signed(number, 2)} bb`;

function seat(one) {
  const shown = one.cards || (one.state === "folded" ? [] : [null, null]);
  const badges = [one.button ? make("span", {class: "badge", title: "dealer button"}, "button") : null, one.state ? make("span", {class: "badge stopped"}, one.state) : null];
  return make("div", {class: `seat${one.you ? " you" : ""}${one.state === "folded" ? " folded" : ""}`, role: "group", "aria-label": one.name},
    cards(shown),
    make("div", {}, make("b", {class: "who"}, one.name), " ", ...badges.filter(Boolean),
      make("div", {class: "quiet"}, `${chips(one.stack)} chips`)),
    make("div", {class: "bet"}, one.bet ? `bet ${chips(one.bet)}` : ""));
}

function table() {
  const own = state.seats.findIndex(one => one.you);
  const others = state.seats.map((_, step) => state.seats[(own + 1 + step) % state.seats.length]).filter(one => !one.you);
  place("others").replaceChildren(...others.map(seat));
  place("own").replaceChildren(...state.seats.filter(one => one.you).map(seat));
  place("board").replaceChildren(...state.board.map(card), ...Array.from({length: 5 - state.board.length}, () => make("span", {class: "card face empty", "aria-hidden": "true"})));
  place("pot").textContent = `pot ${chips(state.pot)}` + (state.made ? ` · you have ${state.made}` : "");
  place("log").replaceChildren(...state.log.map(line => make("li", {class: line.seat === null ? "street" : ""}, line.text)));
  place("log").scrollTop = 1e6;
}

function raising(legal) {
  const raise = legal.raise;
  if (raise.fixed) return [make("button", {type: "button", class: "primary", id: "raise", onclick: () => act(raise.min)}, `${raise.word} ${chips(raise.min)}`, make("kbd", {}, "r"))];
  const amount = make("input", {id: "amount", type: "number", min: raise.min, max: raise.max, value: raise.min, step: 1, inputmode: "numeric", "aria-label": `${raise.word}, ${chips(raise.min)} to ${chips(raise.max)} chips`});
  const button = make("button", {type: "submit", class: "primary", id: "raise"}, "");
  const name = () => button.replaceChildren(`${raise.word} ${chips(Number(amount.value) || 0)}`, make("kbd", {}, "r"));
  const choose = to => { amount.value = to; name(); amount.focus(); };
  amount.addEventListener("input", name);
  name();
  const shares = raise.shares.filter((share, at) => raise.shares.findIndex(one => one.to === share.to) === at);
  return [make("form", {class: "raise", onsubmit: event => { event.preventDefault(); act(Number(amount.value)); }},
    make("div", {class: "amount"}, amount, button),
    make("div", {class: "shares", role: "group", "aria-label": "Sizes"},
      ...shares.map(share => make("button", {type: "button", class: "share", "data-to": share.to, onclick: () => choose(share.to)}, share.label)),
      make("button", {type: "button", class: "share", "data-to": raise.max, onclick: () => choose(raise.max)}, raise.all_in ? "all-in" : "most"))),
    make("p", {class: "quiet bounds"}, `${chips(raise.min)} to ${chips(raise.max)}: all you have bet on this street`)];
}

function decision() {
  const legal = state.legal;
  const parts = [];
  if (legal.fold) parts.push(make("button", {type: "button", id: "fold", onclick: () => act(-1)}, "fold", make("kbd", {}, "f")));
  parts.push(make("button", {type: "button", id: "call", class: legal.fold ? "" : "primary", onclick: () => act(0)}, legal.call, make("kbd", {}, "c")));
  return [make("div", {class: "plain"}, ...parts), ...(legal.raise ? raising(legal) : []),
    make("button", {type: "button", class: "quiet leave", onclick: leave}, "leave the table")];
}

function between() {
  const won = state.won === null ? null : make("p", {class: `lead ${state.won > 0 ? "good" : state.won < 0 ? "bad" : ""}`, id: "won"},
    state.won ? `You ${state.won > 0 ? "win" : "lose"} ${chips(Math.abs(state.won))} chips.` : "You come out even.");
  const next = state.complete
    ? make("p", {}, "All planned hands are played.")
    : make("button", {type: "button", class: "primary", id: "next", onclick: () => send({do: "deal"})}, "next hand", make("kbd", {}, "n"));
  return [won, next, make("button", {type: "button", class: "quiet leave", onclick: leave}, "leave the table")].filter(Boolean);
}

function ended() {
  const lines = state.lines && state.lines.length ? state.lines : state.phase === "left" ? [] : ["judging your hands …"];
  return [make("h2", {}, "You have left this table"), ...lines.map(line => make("p", {}, line)),
    make("p", {}, make("button", {type: "button", class: "primary", id: "again", onclick: () => send({do: "sit", hands: 100})}, "sit down again for 100 hands"))];
}

function grade(one) {
  const advice = one.advice.map(bot => `${bot.bot}: ${bot.actions.slice(0, 3).map(([text, share]) => `${text} ${Math.round(100 * share)} %`).join(", ")}`);
  const cell = (label, attributes, ...children) => make("td", {"data-label": label, ...attributes}, ...children);
  return make("tr", {},
    cell("Street", {}, one.street),
    cell("You", {}, one.made.text),
    cell("Worth", {class: "number"}, blinds(one.made.worth)),
    cell("Best", {}, one.loss < 0.005 ? "the same" : `${one.best.text} (${blinds(one.best.worth)})`),
    cell("Given away", {class: "number"}, `${one.loss.toFixed(2)} bb`),
    cell("Grade", {}, make("span", {class: `badge grade-${one.grade}`}, one.grade)),
    cell("In your place", {class: "prose"}, advice.join("; ") || "–"));
}

function grades() {
  const box = place("grades");
  box.hidden = state.phase === "decide" || state.phase === "left" || (!state.grades && !state.judging);
  if (box.hidden) return;
  if (!state.grades) { box.replaceChildren(make("h2", {}, "Your decisions"), make("p", {class: "loading"}, "judging the hand … (the first one takes longer)")); return; }
  const known = state.skill && state.skill.by === "aivat" && state.names.length === 2
    ? `Worth is how far an action moves what you can expect, over all hands that ${state.names[1]} may hold there by its own probabilities.`
    : "Worth is how far an action moves what you can expect, with all cards open: it also knows what you could not know.";
  box.replaceChildren(make("h2", {}, "Your decisions in this hand"),
    state.grades.length ? make("div", {class: "scroll"}, make("table", {class: "list cards-when-narrow"},
      make("thead", {}, make("tr", {}, ...["Street", "You", "Worth", "Best", "Given away", "Grade", "In your place"].map(name => make("th", {class: ["Worth", "Given away"].includes(name) ? "number" : ""}, name)))),
      make("tbody", {}, ...state.grades.map(grade)))) : make("p", {class: "quiet"}, "You had nothing to decide."),
    make("p", {class: "quiet"}, known));
}

// Both lines so far as one small drawing; the numbers stand beside it.
function lines(skill) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  const all = [0, ...skill.money_line, ...skill.adjusted_line];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = at => 10 + 580 * at / Math.max(skill.money_line.length, 1), y = value => 150 - 130 * (value - low) / Math.max(high - low, 1e-9);
  const add = (kind, attributes) => { const one = document.createElementNS(name, kind); for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value); svg.append(one); return one; };
  svg.setAttribute("viewBox", "0 0 600 160");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Money and luck-adjusted result over ${skill.hands} hands, in big blinds`);
  add("line", {x1: 10, x2: 590, y1: y(0), y2: y(0), class: "zero"});
  for (const [values, kind] of [[skill.money_line, "money"], [skill.adjusted_line, "adjusted"]])
    add("polyline", {points: [0, ...values].map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" "), class: kind});
  return svg;
}

function skill() {
  const box = place("skill");
  const told = state.skill;
  box.hidden = !told;
  if (!told) return;
  const item = (kind, words, rate) => make("div", {class: "rate"}, make("span", {class: `key ${kind}`}), make("b", {}, words), make("span", {}, rate.text));
  const last = told.last && state.phase !== "decide" ? make("p", {}, `Last hand: ${blinds(told.last.money)} of money, ${blinds(told.last.adjusted)} with the luck removed; ${blinds(told.last.money - told.last.adjusted)} was luck.`) : null;
  box.replaceChildren(make("h2", {}, `Your skill over ${whole(told.hands)} hand${told.hands === 1 ? "" : "s"}`), ...(last ? [last] : []),
    make("div", {class: "rates"}, item("money", "money", told.money), item("adjusted", told.words, told.adjusted)),
    lines(told), make("p", {class: "quiet"}, `Sums in big blinds, hand by hand. ${told.can_be_luck ? "The interval has 0 in it: that can still be luck alone." : "The interval is clear of 0."}`));
}

function show() {
  const left = state.phase === "left";
  place("play").classList.toggle("ended", left);
  place("count").textContent = left ? "" : `hand ${whole(state.hand + 1)} of at most ${whole(state.planned)}, ${signed(state.chips, 0)} chips so far`;
  if (!left) table();
  place("actions").replaceChildren(...(state.phase === "decide" ? decision() : state.phase === "over" ? between() : ended()));
  if (left) { for (const id of ["grades", "skill"]) place(id).hidden = true; return; }
  grades();
  skill();
  if (state.problem) problem(`The hands could not be judged: ${state.problem}`);
  place("said").textContent = state.phase === "decide" ? `Your turn on the ${state.street}, pot ${state.pot}` : place("won")?.textContent || "";
  watch();
}

// While hands are being judged the table is asked for again.
function watch() {
  clearTimeout(watching);
  if (!state.judging) return;
  watching = setTimeout(async () => {
    if (busy) return watch();
    try {
      const now = await ask(address);
      const still = now.hand === state.hand && now.step === state.step && now.phase === state.phase;
      if (!still) { state = now; show(); return; }
      state = now;
      grades(); skill();
      if (state.phase === "ended") place("actions").replaceChildren(...ended());
      watch();
    } catch { watch(); }
  }, 700);
}

function problem(text) {
  place("problem").textContent = text;
  place("problem").hidden = !text;
}

async function send(values) {
  if (busy) return;
  busy = true;
  problem("");
  for (const button of place("actions").querySelectorAll("button, input")) button.disabled = true;
  try {
    const answer = await fetch(address, {method: "POST", headers: {"content-type": "application/json", "x-luckless-key": key},
      body: JSON.stringify({hand: state.hand ?? -1, step: state.step ?? -1, ...values})});
    const told = await answer.json();
    if (answer.ok) state = told;
    else { if (told.now) state = told.now; problem(told.error); }
  } catch { problem("The server does not answer. Nothing is lost: try again, or load this page again."); }
  busy = false;
  show();
}

const act = action => send({do: "act", action});
const leave = () => { if (state.phase !== "decide" || confirm("Leave the table? This hand is checked or folded.")) send({do: "leave"}); };

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target instanceof HTMLInputElement;
  const press = id => { const button = place(id); if (button && !button.disabled) { event.preventDefault(); button.click(); } };
  if (event.key === "f") press("fold");
  else if (event.key === "c") press("call");
  else if (event.key === "n") press("next");
  else if (event.key === "r" && place("amount")) { event.preventDefault(); place("amount").focus(); place("amount").select(); }
  else if (event.key === "r") press("raise");
  else if (event.key === "Escape" && typing) event.target.blur();
});

show();
