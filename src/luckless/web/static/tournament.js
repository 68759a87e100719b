// While a tournament runs, the page says when there is more and loads it on request.
import {make, poll} from "./lib.js";

const live = document.getElementById("live");
if (live.dataset.state === "running")
  poll("/api/runs", 3, told => {
    const run = told.runs.find(one => one.address === location.pathname);
    if (!run) return;
    if (String(run.done) !== live.dataset.done || run.state !== "running")
      live.replaceChildren(make("p", {class: "note"}, `There are ${run.done.toLocaleString("en")} hands now. `, make("button", {type: "button", onclick: () => location.reload()}, "show them")));
  });
