"""What a folder or file holds, in a few words, without reading its hands: for lists of many runs.

Records are read lightly here: what is damaged is found when the run itself is opened (`records.load`).
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from luckless.databases.opening import open_at_rest, open_for_reading
from luckless.file_locks import is_held
from luckless.histories.catalogue import FILE
from luckless.histories.store import LOCK_FILE, LOG_KEY, SESSION
from luckless.histories.stored_evaluation import RECORD as EVALUATION
from luckless.histories.stored_evaluation import read_record as read_evaluation
from luckless.runs import CATALOGUE
from luckless.tensors import read_facts
from luckless.tournaments.store import RECORD as TOURNAMENT
from luckless.tournaments.store import VERDICT, read_outline

RUNNING, FINISHED, STOPPED = "running", "finished", "stopped"
FRESH_SECONDS = 30.0
"""Where the system does not tell which files are locked, a run that changed so lately counts as running."""

Held = set[tuple[int, int]] | None


@dataclass(frozen=True)
class Outline:
    """One run. `done` and `total` count `unit`s; `verdict` is what is stored of the result, in one line."""

    kind: str
    title: str
    state: str
    done: int = 0
    total: int | None = None
    unit: str = "hands"
    begun: str = ""
    verdict: str = ""
    game: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


FILES = (".safetensors", ".parquet")
"""What the names of files that may be runs end with."""


def kind_of(path: Path) -> str | None:
    """What a folder or file is, by its name and what lies in it; None if nothing of ours."""
    if path.is_file():
        if path.suffix == ".parquet":
            from luckless.divat.judgement_file import is_judgement  # loads all of DIVAT, which few folders need

            return "judgement" if is_judgement(path) else None
        return "solve" if read_facts(path).get("luckless") == "solution" else None
    return next((kind for file, kind in MARKS.items() if (path / file).is_file()), None)


MARKS = {EVALUATION: "evaluation", TOURNAMENT: "tournament", CATALOGUE: "season", FILE: "hands"}
"""The file that makes a folder a run, and of what kind; hands are a match, sessions or those of logs."""


def outline(path: Path, kind: str, held: Held) -> Outline:
    """What a run is and how far; `held` are the files that are locked now (`file_locks.held_files`)."""
    return _READERS[kind](path, held)


def files_of(path: Path, kind: str) -> list[Path]:
    """The files whose change changes the outline of a run."""
    if kind in ("solve", "judgement"):
        return [path]
    if kind == "tournament":
        return [path / TOURNAMENT, path / VERDICT, path / LOCK_FILE, *_catalogues(path)]
    if kind == "evaluation":
        return [path / EVALUATION, *_catalogues(path)]
    file, lock = (CATALOGUE, "season.lock") if kind == "season" else (FILE, LOCK_FILE)
    return [path / file, path / f"{file}-wal", path / lock]


def _catalogues(path: Path) -> Iterator[Path]:
    """The catalogues of the matches that a tournament or an evaluation is made of, with their logs."""
    for place in sorted(path.glob(f"*/{FILE}*")):
        if not place.name.endswith("-shm"):
            yield place


def _state(path: Path, lock: Path, finished: bool, held: Held) -> str:
    if finished:
        return FINISHED
    locked = is_held(lock, held)
    if locked is None:
        newest = max((file.stat().st_mtime for file in files_of(path, "hands") if file.exists()), default=0.0)
        locked = time.time() - newest < FRESH_SECONDS
    return RUNNING if locked else STOPPED


def _of_hands(path: Path, held: Held) -> Outline:
    """A match, sessions, or hands of logs: what the catalogue says, without the tally and the chunks."""
    at_rest = is_held(path / LOCK_FILE, held) is False
    with closing((open_at_rest if at_rest else open_for_reading)(path / FILE)) as database:
        wanted = ("hands", "games", "rounds", "game", "kind", "begun", "result", "seed", LOG_KEY)
        places = ", ".join("?" * len(wanted))
        rows = database.execute(f"select key, value from settings where key in ({places})", wanted)
        settings = {key: json.loads(value) for key, value in rows}
        [(hands,)] = database.execute("select coalesce(sum(hands), 0) from chunks").fetchall()
        names = [name for (name,) in database.execute("select name from bots order by player limit 12")]
        results = [json.loads(text) for (text,) in database.execute("select result from results order by player")]
    if LOG_KEY in settings or "seed" not in settings:
        title = f"{', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"
        return Outline("hands", title or path.name, FINISHED, hands, hands)
    state = _state(path, path / LOCK_FILE, "result" in settings, held)
    title, game = " v ".join(names), settings.get("game") or {}
    about = {"begun": settings.get("begun", ""), "verdict": leader_text(results), "game": str(game.get("name", ""))}
    if settings.get("kind") == SESSION:
        about["verdict"] = _session_text(settings.get("result") or {})
        return Outline("session", title, state, hands, None, **about)
    return Outline("match", title, state, hands, int(settings["hands"]), **about)


def leader_text(results: list[dict[str, Any]]) -> str:
    """Who leads among the `bots` of a result, with the interval; adjusted where luck was taken out."""
    rated = [
        (bot["adjusted_mbb"], 1.96 * bot["adjusted_stderr_mbb"], bot["name"])
        if bot.get("adjusted_mbb") is not None and bot.get("adjusted_stderr_mbb") is not None
        else (bot["mbb"], _half(bot.get("ci95_mbb")), bot["name"])
        for bot in results
        if bot.get("mbb") is not None
    ]
    if not rated:
        return ""
    mean, half, name = max(rated, key=lambda one: one[0])
    return f"{name} {mean:+,.0f}" + (f" ± {half:,.0f}" if half is not None else "") + " mbb/h"


def _half(ends: list[float] | None) -> float | None:
    return None if not ends else (ends[1] - ends[0]) / 2


def _session_text(result: dict[str, Any]) -> str:
    """Who ends ahead of whom most clearly, of the pairings of a result of sessions."""
    pairings = [one for one in result.get("pairings", ()) if one.get("win_probability") is not None]
    if not pairings:
        return ""
    best = max(pairings, key=lambda one: abs(one["win_probability"] - 0.5))
    share, ends = best["win_probability"], best["ci95"]
    names = best["bot"], best["opponent"]
    if share < 0.5:
        share, ends, names = 1 - share, [1 - end for end in ends[::-1]], names[::-1]
    return f"{names[0]} ahead of {names[1]} in {100 * share:.0f} % [{100 * ends[0]:.0f}, {100 * ends[1]:.0f}]"


def _of_evaluation(path: Path, held: Held) -> Outline:
    record = read_evaluation(path)
    parts = [path / name for names in record["matches"] for name in names]
    seen = [_of_hands(place, held) for place in parts if (place / FILE).is_file()]
    finished = len(seen) == len(parts) and all(one.state == FINISHED for one in seen)
    state = FINISHED if finished else RUNNING if any(one.state == RUNNING for one in seen) else STOPPED
    done, each = sum(one.done for one in seen), max((one.total or 0 for one in seen), default=0)
    count = len(record["opponents"])
    title = f"{record['bot']} against {count} opponent{'s' if count != 1 else ''}"
    begun = min((one.begun for one in seen if one.begun), default="")
    won = sum(one.verdict.startswith(f"{record['bot']} ") for one in seen)
    verdict = f"ahead of {won} of {len(seen)}" if finished and len(record["matches"]) == 1 else ""
    return Outline("evaluation", title, state, done, each * len(parts) or None, begun=begun, verdict=verdict)


def _of_tournament(path: Path, held: Held) -> Outline:
    plan = read_outline(path)
    places = [path / plan.folder(number) for number in range(len(plan.tables))]
    seen = [_of_hands(place, held) for place in places if (place / FILE).is_file()]
    state = _state(path, path / LOCK_FILE, (path / VERDICT).is_file(), held)
    done = sum(one.done for one in seen)
    total = None
    if not plan.settings.is_session and not plan.settings.is_adaptive and seen:
        total = max(one.total or 0 for one in seen) * len(places)
    game = str(plan.settings.game) if isinstance(plan.settings.game, str) else ""
    title = f"{plan.settings.format} of {len(plan.names)} bots"
    verdict = _champion(path / VERDICT, plan.names) if state == FINISHED else ""
    return Outline("tournament", title, state, done, total, begun=plan.begun, verdict=verdict, game=game)


def _champion(file: Path, names: Sequence[str]) -> str:
    """Who has the best mean in a tournament, with its interval."""
    told = json.loads(file.read_text("utf-8"))
    means = told.get("rankings", {}).get("mean") or []
    if len(means) != len(names) or any(mean is None for mean in means):
        return ""
    best = max(range(len(means)), key=means.__getitem__)
    low, high = ((told.get("ci95") or {}).get("mean") or [(None, None)] * len(means))[best]
    around = "" if low is None or high is None else f" [{low:+,.0f}, {high:+,.0f}]"
    unit = f" {told['unit']}" if told.get("unit") else ""
    return f"{names[best]} best in the mean {means[best]:+,.0f}{around}{unit}"


def _of_season(path: Path, held: Held) -> Outline:
    from luckless.league.run import Run
    from luckless.league.season import LOCK
    from luckless.league.status import status

    run = Run.open(path, trusted=True)
    try:
        told = status(run)
    finally:
        run.store.close()
    done, total = (sum(getattr(one, key) for one in told.divisions) for key in ("done", "rounds"))
    state = _state(path, path / LOCK, told.finished, held)
    return Outline("season", told.name, state, done, total, "rounds", told.begun, game=run.game.name)


def _of_solve(path: Path, held: Held) -> Outline:
    facts = read_facts(path)
    left, spot = float(facts.get("exploitability", "nan")), json.loads(facts.get("spot") or "null") or {}
    game = Path(facts.get("game", "")).name
    board, pot = str(spot.get("board", "")), spot.get("pot")
    title = f"{board or game} by {facts.get('algorithm', '')}"
    amount = f"{left:.3g} {'chips' if spot else 'antes'}"
    share = f" ({100 * left / pot:.2g} % of the pot)" if isinstance(pot, int) and pot > 0 else ""
    return Outline("solve", title, FINISHED, verdict=f"exploitability {amount}{share}", unit="", game=game)


def _of_judgement(path: Path, held: Held) -> Outline:
    return Outline("judgement", path.name, FINISHED, unit="")


_READERS: dict[str, Callable[[Path, Held], Outline]] = {
    "hands": _of_hands,
    "evaluation": _of_evaluation,
    "tournament": _of_tournament,
    "season": _of_season,
    "solve": _of_solve,
    "judgement": _of_judgement,
}
