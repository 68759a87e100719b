// The form for a new table: games, opponents by kind; and the tables that are there.
import {ago, data, make, tell, whole} from "./lib.js";

const offered = data();
const field = id => document.getElementById(id);
const KINDS = {solved: "solved strategies", shipped: "shipped bots", agent: "agents that have learned here"};
let chosen = ["blueprint"];

const game = () => offered.games.find(one => one.name === field("game").value);
const fits = bot => !bot.games.length || (bot.games.includes(game().name) && chosen.length === 1);

function bots(place) {
  const select = make("select", {"aria-label": `opponent ${place + 1}`});
  for (const [kind, words] of Object.entries(KINDS)) {
    const some = offered.bots.filter(bot => bot.kind === kind && fits(bot));
    if (some.length) select.append(make("optgroup", {label: words}, ...some.map(bot => make("option", {value: bot.name}, bot.name.replace(/^agent:/, "")))));
  }
  const names = [...select.options].map(option => option.value);
  if (!names.includes(chosen[place])) chosen[place] = names.includes("value-bet") ? "value-bet" : names[0];
  select.value = chosen[place];
  select.addEventListener("change", () => { chosen[place] = select.value; show(); });
  const about = offered.bots.find(bot => bot.name === chosen[place]).about;
  return make("label", {class: "field opponent"}, `Opponent ${place + 1}`, select, make("span", {class: "quiet"}, about));
}

function show() {
  const most = game().seats - 1;
  chosen = chosen.slice(0, most);
  field("opponents").replaceChildren(...chosen.map((_, place) => bots(place)));
  field("more").disabled = chosen.length >= most;
  field("fewer").disabled = chosen.length <= 1;
  const one = game();
  const blinds = one.blinds.filter(Boolean);
  field("about-game").textContent = `${one.betting}, up to ${one.seats} players, ` +
    (blinds.length ? `blinds ${[...blinds].sort((a, b) => a - b).map(whole).join("/")}, ` : "") +
    `stacks ${whole(one.stack)} chips (${whole(one.stack / one.big_blind)} big blinds)`;
}

field("game").append(...offered.games.map(one => make("option", {}, one.name)));
field("game").value = "nolimit-hu";
field("game").addEventListener("change", show);
field("more").addEventListener("click", () => { chosen.push("value-bet"); show(); });
field("fewer").addEventListener("click", () => { chosen.pop(); show(); });

field("sit").addEventListener("submit", async event => {
  event.preventDefault();
  field("problem").hidden = true;
  field("go").disabled = true;
  field("go").textContent = "dealing …";
  try {
    const values = {game: game().name, bots: chosen, name: field("name").value, hands: Number(field("hands").value)};
    location.href = (await tell("/api/play", values)).address;
  } catch (error) {
    field("problem").textContent = error.message;
    field("problem").hidden = false;
    field("go").disabled = false;
    field("go").textContent = "Sit down";
  }
});

function row(table) {
  const cell = (label, attributes, ...children) => make("td", {"data-label": label, ...attributes}, ...children);
  const state = table.open ? "playing" : table.state === "finished" ? "left" : "open";
  return make("tr", {},
    cell("Table", {class: "name"}, make("a", {href: table.address}, table.title || table.place), make("span", {class: "quiet place"}, [table.place, table.game].filter(Boolean).join(" · "))),
    cell("State", {}, make("span", {class: `badge ${table.open ? "running" : "stopped"}`}, state)),
    cell("Hands", {class: "number"}, whole(table.done || 0)),
    cell("Money", {}, table.verdict || "–"),
    cell("Changed", {class: "quiet when"}, ago(table.changed)),
    cell("Match", {}, make("a", {href: table.match}, "match page")));
}

field("tables").replaceChildren(offered.tables.length
  ? make("div", {class: "scroll"}, make("table", {class: "list cards-when-narrow", "aria-label": "Your tables"},
    make("thead", {}, make("tr", {}, ...["Table", "State", "Hands", "Money", "Changed", "Match"].map(name => make("th", {class: name === "Hands" ? "number" : ""}, name)))),
    make("tbody", {}, ...offered.tables.map(row))))
  : make("section", {class: "state"}, make("p", {}, "You have not played here yet. Choose a game and an opponent above.")));
field("places").textContent = `${offered.playing} of ${offered.limit} tables are open`;
show();
