"""Checks whether a bot is fit to play: awkward spots and a few short matches, with every fault explained."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.external.acpc_bot import AcpcBot
from luckless.bots.external.exec_bot import ExecBot
from luckless.cards import format_card
from luckless.counted import counted
from luckless.errors import InputError
from luckless.keys import Keys
from luckless.matches.awkward_spots import SPOTS, Spot
from luckless.matches.faults import Case
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.single_seat import SingleSeat
from luckless.rules.actions import CALL, FOLD, IllegalAction
from luckless.rules.game import Game
from luckless.rules.table import Table

ADVICE = {
    "exception": "The bot raised an error; whatever it was about to do, the policy checked or folded for it.",
    "nonsense": "An action is a whole number: -1 folds, 0 checks or calls, x > 0 bets or raises to x chips. A program"
    ' answers with one line of JSON, such as {"id": 7, "action": 0}, and writes nothing else to its standard output.',
    "illegal": "A raise is to what the seat will have in on this street, from min_raise_to to max_raise_to; when both"
    " are 0 raising is closed, and only -1 and 0 are left.",
    "slow": "A decision has a clock of its own; answer before it runs out, and flush the output after each answer.",
    "overtime": "Hands and matches have clocks too; what is asked after they have run out is checked or folded.",
    "died": "The program ended, or hung up, when it was to answer. Its last words on the error output may say why.",
    "flooded": "It wrote far more than answers. Notes belong on the error output, not on the standard output.",
    "unasked": "Each decision is answered exactly once, with the id that it came with.",
    "absent": "It could not be asked: it did not start, did not shake hands, or did not stay up.",
    "hand_over": "`hand_over` is called after each hand; it must return, and within the clock of a decision.",
    "stays": "A program must exit when it is told goodbye or its input ends; what stays is killed.",
}

HOPELESS = ("absent", "slow", "died", "flooded")
"""Kinds of complaints that cost time; three of them are enough."""

OTHER_GAMES = ("nolimit-hu", "limit-3max", "nolimit-6max", "nolimit-9max", "river-hu")
_OPPONENTS = ("uniform", "all-in", "raise", "call")
_SEED = 1


@dataclass
class Complaint:
    """A fault of the bot: where, of which kind (see `matches.faults`), how often, and an example."""

    where: str
    kind: str
    detail: str
    count: int = 1
    about: str = ""
    """What is awkward about the spot."""
    view: dict[str, Any] | None = None
    """What the bot was shown in the spot."""

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.kind]


@dataclass
class CheckReport:
    """The result of a check. Notes are worth knowing but not faults."""

    bot: str
    says: str = ""
    """What a program says it is called."""
    memory: bool = False
    spots: int = 0
    hands: int = 0
    decisions: int = 0
    complaints: list[Complaint] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def hopeless(self) -> bool:
        """Whether it is useless to continue."""
        return sum(complaint.kind in HOPELESS for complaint in self.complaints) >= 3

    def report_fault(self, complaint: Complaint, seen: Callable[[], dict[str, Any] | None] = lambda: None) -> None:
        """Adds a complaint, with what the bot saw; one of the same kind at the same place is only counted."""
        for earlier in self.complaints:
            if (earlier.where, earlier.kind) == (complaint.where, complaint.kind):
                earlier.count += complaint.count
                return
        complaint.view = complaint.view or seen()
        self.complaints.append(complaint)


def check_bot(bot: Bot, *, game: Game | None = None, hands: int = 60, decision_seconds: float = 5.0) -> CheckReport:
    """Plays all spots and short matches of several games, or only a match of the game that is given."""
    if game is None and isinstance(bot, AcpcBot):
        raise InputError(f"bot {bot.name}: a client plays one game; name it with --game")
    if isinstance(bot, ExecBot):
        bot.grace_seconds = max(bot.grace_seconds, decision_seconds)
    report = CheckReport(bot.name, memory=bot.memory, says=bot.hello.name if isinstance(bot, ExecBot) else "")
    for spot in SPOTS if game is None else ():
        if not report.hopeless:
            _play_spot(bot, spot, decision_seconds, report)
    for played in [Game.load(name) for name in OTHER_GAMES] if game is None else [game]:
        if not report.hopeless:
            _play_match(bot, played, hands, decision_seconds, report)
    if report.hopeless:
        report.notes.append("it can hardly be asked at all: the rest was not tried")
    return report


def _play_spot(bot: Bot, spot: Spot, decision_seconds: float, report: CheckReport) -> None:
    """Asks the bot in one spot and until the hand is over; the other seats check and call from there on."""
    table = spot.table(_SEED, report.spots)
    seat = int(table.public["actor"][0])
    shown: dict[int, dict[str, Any]] = {}
    """What the bot saw, by the number of actions before it."""
    faults: list[Case] = []
    try:
        with SingleSeat(bot, spot.game, Keys(_SEED), decision_seconds) as solo:
            while not table.finished:
                if table.public["actor"][0] == seat:
                    shown[int(table.public["steps"][0])] = _shown(table)
                    faults += solo.act(table, report.spots)
                    report.decisions += 1
                else:
                    table.act(np.array([0]), [CALL])
            faults += solo.hand_over(table, report.spots, seat)[1]
    except IllegalAction as error:  # a compiled rule is not asked with a net
        faults.append(Case(0, "illegal", report.spots, str(error)))
    for case in faults:
        report.report_fault(Complaint(spot.name, case.kind, case.detail, about=spot.about, view=shown.get(case.step)))
    _check_exit(bot, spot.name, report)
    report.spots += 1


def _shown(table: Table) -> dict[str, Any]:
    """The view of the seat to act as plain values."""
    values = dataclasses.asdict(table.views(np.array([0])).one(0))
    return values | {key: [format_card(card) for card in values[key]] for key in ("hole", "board")}


def _play_match(bot: Bot, game: Game, hands: int, decision_seconds: float, report: CheckReport) -> None:
    """A short match against bots that raise a lot; a bot without memory plays it twice, which must come out alike."""
    others = [load_bot(_OPPONENTS[seat % len(_OPPONENTS)]) for seat in range(game.seats - 1)]
    where = (
        f"{counted(hands, 'hand')} of {game.name} against {', '.join(dict.fromkeys(other.name for other in others))}"
    )
    match = Match.plan(
        game, [bot, *others], hands=hands, seed=_SEED, decks="fresh", decision_seconds=decision_seconds
    )
    chunks = list(match.chunks())
    for chunk in chunks:
        for case in (case for case in chunk.faults if case.player == 0):
            detail = f"hand {case.hand}: {case.detail}"
            report.report_fault(Complaint(where, case.kind, detail), partial(_seen_at, chunk, case))
    _check_exit(bot, where, report)
    report.hands += match.hands
    made = [action for chunk in chunks for action in _own_actions(chunk)]
    report.decisions += len(made)
    free = sum(action == FOLD and to_call == 0 for action, to_call in made)
    if free:
        report.notes.append(f"{where}: folded {free} times with nothing to call, where a check is free")
    comparable = not bot.memory and not report.complaints and len(bot.members) == 1
    if comparable and _lines(match.chunks()) != _lines(chunks):
        report.notes.append(
            f"{where}: played the same hands differently a second time; a bot that draws its random numbers from "
            "those that come with a decision makes matches repeatable"
        )


def _seen_at(chunk: Chunk, case: Case) -> dict[str, Any] | None:
    """What the bot saw at the decision of a fault, found by playing the hand again up to there."""
    if case.step < 0:
        return None
    row = int(np.flatnonzero(chunk.hands.numbers == case.hand)[0])
    records = chunk.records
    table = Table(records.game, records.decks[row : row + 1], records.stacks[row : row + 1])
    for action in records.actions_of(row)[: case.step]:
        table.act(np.array([0]), [int(action)])
    return _shown(table)


def _lines(chunks: Iterable[Chunk]) -> dict[int, list[int]]:
    """The actions of each hand by its number: how hands are cut into chunks is a matter of time."""
    return {
        number: chunk.records.actions_of(row).tolist()
        for chunk in chunks
        for row, number in enumerate(chunk.hands.numbers.tolist())
    }


def _own_actions(chunk: Chunk) -> list[tuple[int, int]]:
    """What the first player did, with the chips that it had to call; found by playing the hands again."""
    records, own_actions = chunk.records, []
    table = Table(records.game, records.decks, records.stacks)
    steps = Counter[int]()
    while len(rows := table.waiting()):
        actors, to_call = table.public["actor"][rows], table.public["to_call"][rows]
        actions = [int(records.actions_of(row)[steps[row]]) for row in rows.tolist()]
        own = chunk.hands.players[rows, actors] == 0
        own_actions += [(actions[place], int(to_call[place])) for place in np.flatnonzero(own).tolist()]
        steps.update(rows.tolist())
        table.act(rows, actions)
    return own_actions


def _check_exit(bot: Bot, where: str, report: CheckReport) -> None:
    if isinstance(bot, ExecBot) and not bot.exits_by_itself and not report.complaints:
        detail = f"still there {bot.grace_seconds:g} s after goodbye and the end of its input"
        report.report_fault(Complaint(where, "stays", detail))
