"""Seeds, digests and versions of a stored run, and one button that replays and checks it.

Nothing that the folder names is run: only shipped bots play their hands again (`luckless.verification`).
"""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.counted import counted
from luckless.histories.store import StoredHands
from luckless.verification import verify_stored, what_runs
from luckless.web.finding import Found, NotThere
from luckless.web.jobs import Job
from luckless.web.rendering import address, json_answer, render
from luckless.web.secret_seeds import without_seed

router = APIRouter()

KINDS = ("match", "session", "evaluation", "tournament", "season", "hands")


@router.get("/verify/{place:path}")
def page(request: Request, place: str) -> Response:
    """What can be checked, and the button."""
    found = request.app.state.finder.run(place, *KINDS)
    return render(
        request, "verify.html", title=f"Check {found.outline.title}", found=found, facts=_facts(found),
        outside=what_runs(found.path), command=f"luckless verify {place or '.'}",
    )  # fmt: skip


@router.get("/api/verify/{place:path}")
def api(request: Request, place: str) -> Response:
    """Seeds, digests and versions as JSON."""
    return json_answer({"place": place, "facts": dict(_facts(request.app.state.finder.run(place, *KINDS)))})


@router.post("/api/verify/{place:path}")
def start(request: Request, place: str) -> Response:
    """Begins to check a run; `/api/jobs/NAME` tells how that goes."""
    found = request.app.state.finder.run(place, *KINDS)
    job = request.app.state.jobs.start(f"verify {place}", lambda job: _check(job, found.path))
    return json_answer({**job.to_dict(), "address": f"/api/jobs/{job.name}"}, 202)


@router.get("/api/jobs/{name}")
def job(request: Request, name: str, since: int = 0) -> Response:
    """How a job goes: its lines from number `since` on, and its outcome once there is one."""
    found = request.app.state.jobs.get(name)
    if found is None:
        raise NotThere("there is no such job; the server may have been started again since")
    return json_answer(found.to_dict(max(since, 0)))


@router.delete("/api/jobs/{name}")
def stop(request: Request, name: str) -> Response:
    """Asks a job to end."""
    if request.app.state.jobs.get(name) is None:
        raise NotThere("there is no such job")
    request.app.state.jobs.stop(name)
    return json_answer({"job": name})


def _check(job: Job, path: Path) -> dict[str, Any]:
    job.say("checksums, every hand by the rules, results counted again, the seed")
    verification = verify_stored(path, workers=1, bots=False)
    return {**verification.to_dict(), "well": not verification.failures}


def _facts(found: Found) -> list[tuple[str, str]]:
    """What identifies a run."""
    rows = [("place", found.place or ".")]
    if found.kind != "hands":
        return rows
    stored = StoredHands.open(found.path)
    settings = stored.settings
    rows.append(("hands", f"{stored.hands:,} in {counted(len(stored.chunks), 'chunk')}"))
    if "seed" in settings:
        seed = str(settings["seed"])
        rows.append(("seed", without_seed(found, seed, seed)))
    rows.append(("digest of all hands (SHA-256)", stored.digest))
    rows.append(("catalogue", "sealed" if stored.sealed else "not sealed: an earlier version wrote it"))
    rows += [(f"version of {name}", str(value)) for name, value in (settings.get("versions") or {}).items()]
    rows += [(f"code of {bot['name']} (SHA-256)", bot["code_sha256"]) for bot in stored.bots if bot["code_sha256"]]
    return rows


def verify_address(found: Found) -> str:
    """The page that checks a run."""
    return address("verify", found.place)
