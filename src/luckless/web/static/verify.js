// The button that checks a run: starts the job, shows its lines as they come, then the outcome.
import {ask, make, tell, whole} from "./lib.js";

const button = document.getElementById("check");
const verdict = document.getElementById("verdict");
const lines = document.getElementById("lines");

function end(text, kind, problems = []) {
  verdict.textContent = text;
  verdict.className = `lead ${kind}`;
  lines.append(...problems.map(problem => make("li", {}, problem)));
  button.disabled = false;
}

function told(outcome) {
  const checked = outcome.rounds ? `${whole(outcome.rounds)} rounds` : `${whole(outcome.hands)} hands in ${whole(outcome.chunks)} chunk${outcome.chunks === 1 ? "" : "s"}`;
  const again = outcome.reproduced ? " The seed reproduces every one of them." : "";
  if (outcome.well) end(`All is well: ${checked} checked.${again}`, "good", outcome.notes || []);
  else end(`Wrong: ${whole(outcome.failures)} of the checks failed (${checked}).`, "bad", [...outcome.problems, ...(outcome.notes || [])]);
}

async function watch(address) {
  const job = await ask(`${address}`);
  if (!job.finished) {
    verdict.textContent = `checking … ${Math.round(job.seconds)} s`;
    setTimeout(() => watch(address).catch(failed), 300);
  } else if (job.error) end(job.error, "bad");
  else told(job.outcome);
}

const failed = error => end(error.message, "bad");

button.addEventListener("click", async () => {
  button.disabled = true;
  lines.replaceChildren();
  verdict.className = "lead";
  verdict.textContent = "checking …";
  document.getElementById("outcome").hidden = false;
  try { await watch((await tell(button.dataset.address)).address); } catch (error) { failed(error); }
});
