"""Evaluations, played and stored: a folder with one stored match for each opponent, and a record that names them."""

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.chunks import Packed
from luckless.histories.match_writer import play_stored
from luckless.histories.store import StoredHands, make_folder, write_file
from luckless.histories.stored_match import load_match_result
from luckless.histories.stored_schema import check_evaluation
from luckless.keys import Keys, choose_seed
from luckless.matches.evaluation import Evaluation, OnSets, PlayTrial, Trial, evaluate
from luckless.matches.match import Match, any_outside
from luckless.matches.result import MatchResult
from luckless.matches.seating import Decks
from luckless.matches.settings import is_sealed, kept_keys
from luckless.plain_json import read_json
from luckless.rules.game import Game
from luckless.stats.compare import Comparison

RECORD = "evaluation.json"
FORMAT = 1
"""The version of the record; readers refuse a higher one."""


def play_evaluation(
    bot: Bot,
    opponents: Sequence[Bot],
    game: Game,
    *,
    compare: Bot | None = None,
    folder: Path | None = None,
    hands: int,
    seed: int | None = None,
    decks: Decks | None = None,
    show_progress: bool = False,
) -> Evaluation:
    """Plays a bot, and another to compare it with, against each opponent on the decks of the same seed.

    With a bot from outside all matches are sealed, and without a seed it is a secret one.
    With a folder, matches are stored there, and an evaluation that was broken off, or is to have more hands, goes on.
    """
    bots = [bot] if compare is None else [bot, compare]
    keys = _keys(folder, seed, any_outside([*bots, *opponents]))
    plan = _plan(bots, opponents, game, keys, decks)
    if folder is not None:
        plan = _begin(folder, plan)
    played: list[list[Trial]] = []
    for names in plan["matches"]:
        play = _storing(folder, names, show_progress) if folder is not None else None
        one = bots[len(played)]
        trials = evaluate(
            one,
            opponents,
            game,
            hands=hands,
            seed=keys.seed,
            decks=decks,
            sealed=keys.sealed,
            show_progress=show_progress,
            play=play,
        )
        played.append(trials)
        if trials[-1].result.interrupted:
            break
    others = played[1] if len(played) == 2 else []
    result = Evaluation.of(bot.name, played[0], plan["compared_with"], others, keys.seed)
    if folder is not None:
        comparisons = [dataclasses.asdict(one) for one in result.comparisons]
        _write(folder, {**plan, "comparisons": comparisons})
    return result


def load_evaluation(folder: Path) -> Evaluation:
    """The evaluation in a folder, as far as it was played; no bot is needed."""
    record = read_record(folder)
    played: list[list[Trial]] = []
    for names in record["matches"]:
        trials = []
        for opponent, name in zip(record["opponents"], names, strict=True):
            if not _is_begun(folder / name):
                break
            trials.append(Trial(opponent, load_match_result(folder / name)))
        played.append(trials)
    if not played[0]:
        raise InputError(f"{folder} holds an evaluation without any stored hand yet")
    others = played[1] if len(played) == 2 else []
    complete = all(len(trials) == len(record["opponents"]) for trials in played)
    interrupted = not complete or any(trial.result.interrupted for trials in played for trial in trials)
    comparisons = tuple(_comparison(one) for one in record.get("comparisons", ()))
    return Evaluation(
        record["bot"],
        tuple(played[0]),
        record["compared_with"],
        tuple(others),
        comparisons,
        interrupted,
        int(record["seed"]),
    )


def _is_begun(folder: Path) -> bool:
    """Whether a match has any hand."""
    if not (folder / FILE).is_file() and not any(folder.glob("hands-*.parquet")):
        return False
    return bool(StoredHands.open(folder).chunks)


def _storing(folder: Path, names: Sequence[str], show_progress: bool) -> PlayTrial:
    def play(number: int, match: Match, on_sets: OnSets) -> MatchResult:
        return play_stored(match, folder / names[number], on_sets=on_sets, show_progress=show_progress)

    return play


def _keys(folder: Path | None, seed: int | None, sealed: bool) -> Keys:
    """The keys that were asked for, and for the rest those of an evaluation that the folder holds already."""
    if folder is None or not (folder / RECORD).is_file():
        return Keys(choose_seed(seed, sealed), sealed)
    record = read_record(folder)
    return Keys(int(record["seed"]) if seed is None else seed, is_sealed(record, str(folder / RECORD)))


def _plan(
    bots: Sequence[Bot], opponents: Sequence[Bot], game: Game, keys: Keys, decks: Decks | None
) -> dict[str, Any]:
    """What the record says of an evaluation: who plays whom, and the folder of each match."""
    places = [f"{number}-{_plain(opponent.name)}" for number, opponent in enumerate(opponents, start=1)]
    return {
        "format": FORMAT,
        "bot": bots[0].name,
        "compared_with": bots[1].name if len(bots) == 2 else None,
        "game": game.to_dict(),
        "seed": str(keys.seed),
        **kept_keys(keys.sealed),
        "decks": decks,
        "opponents": [opponent.name for opponent in opponents],
        "matches": [places, [f"compared-{place}" for place in places]][: len(bots)],
    }


def _plain(name: str) -> str:
    """A name that is allowed for any folder."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "_", name.rpartition("/")[2])[:60]


def _begin(folder: Path, plan: dict[str, Any]) -> dict[str, Any]:
    """Writes the record of an evaluation, new or with further opponents; refuses a folder that holds another."""
    if (folder / RECORD).is_file():
        record = read_record(folder)
        for key in ("bot", "compared_with", "game", "seed", "decks"):
            if record[key] != plan[key]:
                raise InputError(f"{folder} holds another evaluation: its {key} is {record[key]}, not {plan[key]}")
        plan = _continued(folder, record, plan)
    else:
        make_folder(folder)
    _write(folder, plan)
    return plan


def _continued(folder: Path, record: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    """The plan with the folders of opponents that were met already; others get new ones. None may be missing."""
    before, now = record["opponents"], plan["opponents"]
    if before == now:
        return {**plan, "matches": record["matches"]}
    if not set(before) <= set(now) or len(set(now)) < len(now):
        raise InputError(f"{folder} holds another evaluation: its opponents are {before}, not {now}")
    known = dict(zip(before, record["matches"][0], strict=True))
    added = [name for name in now if name not in known]
    known |= {name: f"{number}-{_plain(name)}" for number, name in enumerate(added, start=len(before) + 1)}
    places = [known[name] for name in now]
    return {**plan, "matches": [places, [f"compared-{place}" for place in places]][: len(plan["matches"])]}


def _write(folder: Path, record: dict[str, Any]) -> None:
    data = (json.dumps(record, indent=1) + "\n").encode()
    write_file(folder, RECORD, Packed(memoryview(data), hashlib.sha256(data).hexdigest()))


def read_record(folder: Path) -> dict[str, Any]:
    """The record of an evaluation, checked."""
    path = folder / RECORD
    try:
        record: dict[str, Any] = read_json(path.read_bytes())
        version = int(record["format"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a valid record of an evaluation: {error}") from None
    if version > FORMAT:
        raise InputError(f"{path}: written by a newer version (format {version}; this one reads {FORMAT})")
    check_evaluation(record, str(path))
    return record


def match_folders(folder: Path) -> list[Path]:
    """The folders of the matches that were begun, those of the bot first."""
    names = [name for names in read_record(folder)["matches"] for name in names]
    return [folder / name for name in names if _is_begun(folder / name)]


def _comparison(values: dict[str, Any]) -> Comparison:
    ends = values["ci95"]
    return Comparison(**{**values, "ci95": tuple(ends) if ends else None, "warnings": tuple(values["warnings"])})
