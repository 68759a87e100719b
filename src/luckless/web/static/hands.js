// The filter of hands: empty fields stay out of the address; the luck of hands is worked out on demand.
import {ask, tell} from "./lib.js";

document.getElementById("filter").addEventListener("submit", event => {
  for (const field of event.target.elements)
    if (field.name && (!field.value || (field.name === "sort" && field.value === "hand") || (field.name === "order" && field.value === "up")))
      field.disabled = true;
});
window.addEventListener("pageshow", () => {
  for (const field of document.getElementById("filter").elements) field.disabled = false;
});

const button = document.getElementById("luck");
const said = document.getElementById("luck-said");

async function watch(address) {
  const job = await ask(address);
  if (job.error) throw new Error(job.error);
  if (job.finished) window.location.reload();
  else {
    said.textContent = job.lines.at(-1) || `${Math.round(job.seconds)} s …`;
    setTimeout(() => watch(address).catch(failed), 700);
  }
}

const failed = error => { said.textContent = error.message; button.disabled = false; };

button?.addEventListener("click", async () => {
  button.disabled = true;
  said.textContent = "working …";
  try { await watch((await tell(button.dataset.address)).address); } catch (error) { failed(error); }
});
