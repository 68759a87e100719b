// A spot to solve: board picker, range editors (grid and text say the same), and the run as it goes.
import {ago, ask, data, make, tell, whole} from "./lib.js";
import {card} from "./cards.js";

const place = id => document.getElementById(id);
const FULL = {s: "♠", h: "♥", d: "♦", c: "♣"};
const SUITS = {s: "spades", h: "hearts", d: "diamonds", c: "clubs"};

// Board
let board = [];
for (const button of document.querySelectorAll(".deck button")) {
  const text = button.dataset.card;
  button.textContent = (text[0] === "T" ? "10" : text[0]) + FULL[text[1]];
  button.className = SUITS[text[1]];
  button.setAttribute("aria-label", `${text[0] === "T" ? "10" : text[0]} of ${SUITS[text[1]]}`);
  button.addEventListener("click", () => {
    if (board.includes(text)) board = board.filter(one => one !== text);
    else if (board.length < 5) board.push(text);
    place("board-text").value = board.join("");
    showBoard();
  });
}
function readBoard() {
  const words = place("board-text").value.replace(/[\s,]/g, "").match(/.{1,2}/g) || [];
  board = [...new Set(words.filter(word => /^[2-9TJQKA][cdhs]$/.test(word)))].slice(0, 5);
  showBoard();
}
function showBoard() {
  place("board").replaceChildren(...board.map(card));
  for (const button of document.querySelectorAll(".deck button")) {
    const chosen = board.includes(button.dataset.card);
    button.setAttribute("aria-pressed", chosen);
    button.disabled = !chosen && board.length >= 5;
  }
}
place("board-text").addEventListener("input", readBoard);

// Ranges
const weights = [{}, {}];
function rangeText(player) {
  return [...place(`grid${player}`).querySelectorAll("[data-label]")].map(cell => cell.dataset.label)
    .filter(label => weights[player][label] > 0)
    .map(label => weights[player][label] < 1 ? `${label}:${weights[player][label]}` : label).join(",");
}
const combos = label => label.length === 2 ? 6 : label[2] === "s" ? 4 : 12;
function showRange(player) {
  let hands = 0;
  for (const cell of place(`grid${player}`).querySelectorAll("[data-label]")) {
    const weight = weights[player][cell.dataset.label] || 0;
    hands += weight * combos(cell.dataset.label);
    cell.style.background = weight ? `linear-gradient(to top, var(--accent) ${100 * weight}%, transparent ${100 * weight}%)` : "";
    cell.classList.toggle("in", weight > 0.5);
    cell.setAttribute("aria-selected", weight > 0);
    cell.setAttribute("aria-label", `${cell.dataset.label}, weight ${weight}`);
  }
  place(`hands${player}`).textContent = `${hands.toFixed(hands % 1 ? 1 : 0)} of 1,326 hands (${(hands / 13.26).toFixed(1)} %)`;
}
const waiting = [null, null];
async function readRange(player) {
  try {
    const told = await ask(`/api/range?text=${encodeURIComponent(place(`text${player}`).value)}`);
    const cells = [...place(`grid${player}`).querySelectorAll("[data-label]")];
    cells.forEach((cell, at) => { weights[player][cell.dataset.label] = told.weights[Math.floor(at / 13)][at % 13]; });
    showRange(player);
    if (told.mixed) place(`hands${player}`).textContent += "; single combinations are shown as the mean of their class";
    place(`text${player}`).setCustomValidity("");
  } catch (error) {
    place(`hands${player}`).textContent = error.message;
    place(`text${player}`).setCustomValidity(error.message);
  }
}
for (const player of [0, 1]) {
  const grid = place(`grid${player}`);
  const cells = [...grid.querySelectorAll("[data-label]")];
  let painting = null;
  const paint = cell => { weights[player][cell.dataset.label] = painting; showRange(player); place(`text${player}`).value = rangeText(player); place(`text${player}`).setCustomValidity(""); };
  const chosen = () => Math.min(1, Math.max(0, Number(place(`weight${player}`).value) || 0));
  const begin = cell => { painting = weights[player][cell.dataset.label] === chosen() ? 0 : chosen(); paint(cell); };
  grid.addEventListener("pointerdown", event => {
    const cell = event.target.closest("[data-label]");
    if (!cell) return;
    event.preventDefault();
    cell.focus();
    begin(cell);
  });
  grid.addEventListener("pointermove", event => {
    if (painting === null || !event.buttons) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(`#grid${player} [data-label]`);
    if (cell && weights[player][cell.dataset.label] !== painting) paint(cell);
  });
  window.addEventListener("pointerup", () => { painting = null; });
  grid.addEventListener("keydown", event => {
    const at = cells.indexOf(document.activeElement);
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13}[event.key];
    if (step && cells[at + step]) { event.preventDefault(); cells[at].tabIndex = -1; cells[at + step].tabIndex = 0; cells[at + step].focus(); }
    else if ((event.key === " " || event.key === "Enter") && at >= 0) { event.preventDefault(); begin(cells[at]); painting = null; }
  });
  place(`text${player}`).addEventListener("input", () => { clearTimeout(waiting[player]); waiting[player] = setTimeout(() => readRange(player), 250); });
}
for (const button of document.querySelectorAll("[data-clear]")) button.addEventListener("click", () => {
  const player = Number(button.dataset.clear);
  weights[player] = {};
  place(`text${player}`).value = "";
  showRange(player);
});

// The run
let job = null;
export function curve(points) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", "0 0 600 220");
  svg.setAttribute("role", "img");
  const last = points[points.length - 1];
  svg.setAttribute("aria-label", `Exploitability ${last[1].toPrecision(3)} % of the pot after ${last[0]} iterations`);
  const xs = points.map(point => Math.log(point[0])), ys = points.map(point => Math.log(Math.max(point[1], 1e-9)));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const x = value => 60 + 520 * (value - x0) / Math.max(x1 - x0, 1e-9), y = value => 180 - 160 * (value - y0) / Math.max(y1 - y0, 1e-9);
  const add = (kind, attributes, text = "") => { const one = document.createElementNS(name, kind); for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value); one.textContent = text; svg.append(one); };
  add("path", {d: "M60 15V180H585", class: "axis"});
  add("polyline", {points: xs.map((value, at) => `${x(value).toFixed(1)},${y(ys[at]).toFixed(1)}`).join(" "), class: "line"});
  add("text", {x: 55, y: 185, "text-anchor": "end"}, `${Math.exp(y0).toPrecision(2)} %`);
  add("text", {x: 55, y: 25, "text-anchor": "end"}, `${Math.exp(y1).toPrecision(2)} %`);
  add("text", {x: 60, y: 200}, whole(Math.exp(x0)));
  add("text", {x: 585, y: 200, "text-anchor": "end"}, `${whole(Math.exp(x1))} iterations`);
  return svg;
}
async function watch(address) {
  const now = await ask(address);
  const points = now.lines.map(line => line.split(" ").map(Number)).map(([iterations, , share]) => [iterations, 100 * share]);
  place("told").textContent = points.length ? `${points[points.length - 1][1].toPrecision(3)} % of the pot after ${whole(points[points.length - 1][0])} iterations, ${Math.round(now.seconds)} s` : `building the tree … ${Math.round(now.seconds)} s`;
  if (points.length > 1) place("curve").replaceChildren(curve(points));
  if (!now.finished) { setTimeout(() => watch(address).catch(failed), 500); return; }
  place("go").disabled = false;
  place("stop").hidden = true;
  if (now.error) { failed(new Error(now.error)); return; }
  place("told").append(now.outcome.stopped ? " (stopped). " : ". ", make("a", {href: now.outcome.address, class: "button primary", id: "walk"}, "Walk the solution"));
}
function failed(error) {
  place("problem").textContent = error.message;
  place("problem").hidden = false;
  place("go").disabled = false;
  place("stop").hidden = true;
}
place("spot").addEventListener("submit", async event => {
  event.preventDefault();
  place("problem").hidden = true;
  place("go").disabled = true;
  const number = id => Number(place(id).value);
  try {
    job = await tell("/api/solver", {board: board.join(""), ranges: [place("text0").value, place("text1").value], pot: number("pot"), stack: number("stack"), sizes: place("sizes").value, target: number("target"), minutes: number("minutes")});
    place("run").hidden = false;
    place("stop").hidden = false;
    place("curve").replaceChildren();
    place("told").textContent = `building the tree, ${job.memory} of memory …`;
    place("run").scrollIntoView({block: "nearest"});
    await watch(job.address);
  } catch (error) { failed(error); }
});
place("stop").addEventListener("click", () => tell(job.address, {}, "DELETE").catch(failed));

const listed = data().solutions;
const cell = (label, attributes, ...children) => make("td", {"data-label": label, ...attributes}, ...children);
place("solutions").replaceChildren(listed.length ? make("div", {class: "scroll"}, make("table", {class: "list cards-when-narrow", "aria-label": "Solutions"},
  make("thead", {}, make("tr", {}, ...["Solution", "Result", "Changed"].map(name => make("th", {}, name)))),
  make("tbody", {}, ...listed.map(one => make("tr", {}, cell("Solution", {class: "name"}, make("a", {href: one.address}, one.title || one.place), make("span", {class: "quiet place"}, one.place)), cell("Result", {}, one.problem || one.verdict), cell("Changed", {class: "quiet when"}, ago(one.changed)))))))
  : make("section", {class: "state"}, make("p", {}, "No solution is stored here yet. Solve a spot above, or at the terminal:"), make("pre", {class: "command"}, "luckless solve river-hu --board KsTh7s4d2s --save river.safetensors")));
readBoard();
readRange(0);
readRange(1);
