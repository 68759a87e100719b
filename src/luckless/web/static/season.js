// Learning curves of a season that runs: asked for again every few seconds and drawn anew.
import {poll} from "./lib.js";
import {draw} from "./draw.js";

const live = document.getElementById("live");
if (live)
  poll(live.dataset.address, 3, told => {
    document.getElementById("done").textContent = told.done.toLocaleString("en");
    document.getElementById("state").textContent = told.state;
    draw(told.figures);
    if (told.state !== "running") { location.reload(); return false; }
    return true;
  });
