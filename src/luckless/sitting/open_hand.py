"""One hand of a person against bots, moved on to the person's next decision."""

from collections.abc import Sequence

import numpy as np

from luckless.matches.faults import Case
from luckless.matches.match import Match
from luckless.matches.playing import SHOWDOWN, Chunk, Playing
from luckless.rules.state import FINISHED
from luckless.rules.table import Table
from luckless.rules.views import View

PERSON = 0
"""The person's place among the players of a match."""

_ROW = np.array([0])


class OpenHand:
    """Hand `number` of a match. It follows from the match and the actions so far, which can be given to go on."""

    def __init__(self, match: Match, playing: Playing, number: int, actions: Sequence[int] = ()) -> None:
        self.number = number
        self._playing, self._seated = playing, match.seated(number, 1)
        self._roles = playing.lineup.roles(match.keys, self._seated.deals, self._seated.players)
        players = self._seated.players[0].tolist()
        self.seat: int = players.index(PERSON)
        """Where the person sits."""
        self.names = [match.hand_names[player] for player in players]
        """Who sits in each seat."""
        self._table = Table.dealt(match.game, match.keys, self._seated.deals)
        self._faults: list[Case] = []
        playing.new_hands()
        for action in actions:
            self._table.act(_ROW, [action])
        self._move_on()

    @property
    def actions(self) -> list[int]:
        """All actions so far, of everybody."""
        return [past.action for past in self._table.history(0)]

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return bool(self._table.public["actor"][0] == FINISHED)

    def view(self) -> View | None:
        """What the person sees at the decision that waits; None when the hand is over."""
        return None if self.over else self._table.views(_ROW).one(0)

    def act(self, action: int) -> None:
        """Acts for the person; then the bots play up to the next decision, or to the end. Refuses what is illegal."""
        self._table.act(_ROW, [action])
        self._move_on()

    def chunk(self) -> Chunk:
        """The hand once it is over, as a match keeps it; bots that follow their hands are told its end."""
        table, faults = self._table, list(self._faults)
        records = table.records()
        self._playing.tell_results(table, records, self._seated, self._roles, faults)
        streets = np.where(table.public["showdown"] == 1, SHOWDOWN, table.public["street"]).astype(np.int8)
        return Chunk(self._seated.columns(records), streets, tuple(faults), asked=True)

    def _move_on(self) -> None:
        """Lets the bots act until the person is to act or the hand is over."""
        public = self._table.public
        while (actor := int(public["actor"][0])) not in (FINISHED, self.seat):
            self._playing.answer(self._table, self._seated, _ROW, int(self._roles[0, actor]), self._faults)
