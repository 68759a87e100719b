// Draws the figures of a page. A point or bar that has an address in its customdata leads there.
import {data} from "./lib.js";

export async function draw(figures) {
  for (const id of Object.keys(figures)) document.getElementById(id).querySelector(".loading")?.remove();
  try {
    await window.luckless.drawFigures(figures);
  } catch (error) {
    for (const id of Object.keys(figures)) document.getElementById(id).textContent = `This figure cannot be drawn: ${error}`;
  }
  for (const id of Object.keys(figures)) {
    const place = document.getElementById(id);
    place.removeAllListeners?.("plotly_click");
    place.on?.("plotly_click", event => {
      const address = event.points[0].customdata;
      if (typeof address === "string" && address.startsWith("/")) window.location.assign(address);
    });
  }
}

if (document.getElementById("figures")) draw(data("figures"));
