// A match: shown again while it is being played, and with the luck taken out on demand.
import {ask, make, poll, tell} from "./lib.js";
import {draw} from "./draw.js";

const find = id => document.getElementById(id);
const live = find("live");

// While it runs, the parts that change are taken from the page as it is then; nothing is reloaded.
async function renew() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  for (const id of ["block", "state", "lead", "tables"]) {
    const fresh = page.getElementById(id);
    if (fresh && find(id)) find(id).replaceWith(document.adoptNode(fresh));
  }
  await draw(JSON.parse(page.getElementById("figures").textContent));
}

if (live.dataset.state === "running") {
  let seen = Number(live.dataset.hands);
  poll(live.dataset.address, 2, values => {
    if (values.hands !== seen && values.state === "running") renew();
    seen = values.hands;
    if (values.state !== "running") { renew(); return false; }
    return true;
  });
}

function table(header, rows) {
  return make("div", {class: "scroll"}, make("table", {},
    make("thead", {}, make("tr", {}, ...header.map((name, place) => make("th", {scope: "col", class: place ? "number" : ""}, name)))),
    make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map((cell, place) => make("td", {class: place ? "number" : ""}, cell)))))));
}

function parts(player) {
  const found = [make("h3", {}, player.name)];
  if (player.streets.length) found.push(table(["won on", "mbb/h", "95 % interval"],
    player.streets.map(one => [make("a", {class: "cell", href: one.address}, one.name), one.rate, one.interval])));
  for (const [kind, rows] of Object.entries(player.groups))
    found.push(table([kind, "hands", "money mbb/h", "adjusted mbb/h", "95 % interval"],
      rows.map(one => [one.name, one.hands, one.money, one.rate, one.interval])));
  return make("section", {}, ...found);
}

async function show(told) {
  const places = told.figures.map((one, number) => [`skill${number}`, one]);
  find("verdict").replaceChildren(
    make("p", {class: "lead"}, told.conclusion), table(told.header, told.rows),
    ...told.notes.map(note => make("p", {class: "note"}, note)),
    ...places.flatMap(([id, one]) => [make("h3", {}, one.heading), make("div", {class: "figure", id, role: "img", "aria-label": one.heading})]),
    make("details", {}, make("summary", {}, "by street, position and kind of pot"), make("div", {class: "grid"}, ...told.players.map(parts))));
  await draw(Object.fromEntries(places.map(([id, one]) => [id, one.figure])));
}

const failed = error => { find("judge-said").textContent = error.message; find("judge").disabled = false; };

async function watch(address) {
  const job = await ask(address);
  if (job.error) throw new Error(job.error);
  find("judge-said").textContent = job.finished ? "" : `${job.lines.at(-1) || "judging"} … ${Math.round(job.seconds)} s`;
  if (!job.finished) setTimeout(() => watch(address).catch(failed), 500);
  else { find("judge").disabled = false; await show(job.outcome); }
}

find("judge").addEventListener("click", async () => {
  find("judge").disabled = true;
  try { await watch((await tell(`${find("judge").dataset.address}?by=${encodeURIComponent(find("by").value)}`)).address); } catch (error) { failed(error); }
});
