// The list of runs: filtered here, asked for again every two seconds.
import {ago, data, duration, make, poll, whole} from "./lib.js";

const fields = Object.fromEntries(["search", "kind", "state"].map(id => [id, document.getElementById(id)]));
const SHOWN = 300;
let runs = data().runs;
let most = SHOWN;

for (const [id, field] of Object.entries(fields)) {
  field.value = new URLSearchParams(location.search).get(id) || "";
  field.addEventListener("input", () => { most = SHOWN; remember(); show(); });
}

function remember() {
  const chosen = new URLSearchParams(Object.entries(fields).map(([id, field]) => [id, field.value]).filter(([, v]) => v));
  history.replaceState(null, "", chosen.size ? `?${chosen}` : location.pathname);
}

function wanted(run) {
  const text = `${run.title} ${run.place} ${run.game || ""}`.toLowerCase();
  return (!fields.kind.value || run.kind === fields.kind.value)
    && (!fields.state.value || run.state === fields.state.value)
    && fields.search.value.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

function done(run) {
  if (!run.unit) return [];
  const share = run.total ? run.done / run.total : null;
  const text = run.total && run.done !== run.total ? `${whole(run.done)} of ${whole(run.total)} ${run.unit}` : `${whole(run.done || 0)} ${run.unit}`;
  const parts = [make("span", {}, text)];
  if (share !== null && run.state !== "finished")
    parts.push(make("progress", {max: 1, value: share, "aria-label": `${Math.round(100 * share)} % done`}));
  if (run.seconds_left) parts.push(make("span", {class: "quiet"}, `${duration(run.seconds_left)} left`));
  return parts;
}

function row(run) {
  const name = run.title || run.place || "this folder";
  const cell = (label, attributes, ...children) => make("td", {"data-label": label, ...attributes}, ...children);
  return make("tr", {},
    cell("Run", {class: "name"}, make("a", {href: run.address}, name), make("span", {class: "quiet place"}, [run.place || ".", run.game].filter(Boolean).join(" · "))),
    cell("Kind", {}, run.kind),
    cell("State", {}, make("span", {class: `badge ${run.state}`}, run.state)),
    cell("Done", {class: "number done"}, ...done(run)),
    cell("Verdict", {class: "verdict"}, run.problem || run.verdict || "–"),
    cell("Changed", {class: "quiet when", title: new Date(1000 * run.changed).toLocaleString()}, ago(run.changed)));
}

function show() {
  const chosen = runs.filter(wanted);
  const rows = chosen.slice(0, most).map(row);
  if (chosen.length > most)
    rows.push(make("tr", {}, make("td", {colspan: 6}, make("button", {type: "button", onclick: () => { most *= 4; show(); }}, `show more of ${whole(chosen.length)}`))));
  if (!chosen.length && runs.length) rows.push(make("tr", {}, make("td", {colspan: 6, class: "loading"}, "No run fits this filter.")));
  document.getElementById("runs").replaceChildren(...rows);
  const running = runs.filter(run => run.state === "running").length;
  document.getElementById("count").textContent = `${whole(chosen.length)} of ${whole(runs.length)} runs` + (running ? `, ${running} running` : "");
  document.getElementById("empty").hidden = runs.length > 0;
  document.querySelector("table.list").hidden = runs.length === 0;
}

show();
poll("/api/runs", 2, values => { runs = values.runs; show(); }, silent => { document.getElementById("lost").hidden = !silent; });
