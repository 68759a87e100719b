"""`chat:CONFIG.toml`: a language model as a bot.

Decisions of different hands are asked at once, within a limit. An answer that cannot be used is asked for again, a
stated number of times; then it is a fault. Nothing depends on the order in which answers come.
"""

import hashlib
import json
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from luckless.bots.bot import NO_ANSWER, Decisions
from luckless.bots.clocks import Clocks
from luckless.bots.external.chat.config import ChatConfig, read_config
from luckless.bots.external.chat.ledger import Entry, Ledger, ledger_name, usage
from luckless.bots.external.chat.parsing import Unusable, parse_action
from luckless.bots.external.chat.prompts import fields_of
from luckless.bots.external.external_bot import ExternalBot
from luckless.bots.external.posting import Unreachable, check_there, parsed_url, post_again
from luckless.interruptions import MatchEnds
from luckless.rules.game import Game
from luckless.rules.views import View

WHY_AGAIN = "Your answer cannot be used: {problem}. Answer again with one JSON object."


class _Ask(NamedTuple):
    """A decision to ask: its row, its key in the ledger, its prompt, and how long it may take."""

    row: int
    key: str
    prompt: str
    view: View
    seconds: float


class _Failed(Exception):
    """No answer could be had; `kind` as in `matches.faults`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class ChatBot(ExternalBot):
    """A model behind a server."""

    def __init__(self, spec: str, config: ChatConfig) -> None:
        self.spec = spec
        self.name = config.model
        self.config = config
        self._secret = config.key(spec.partition(":")[2])
        base = config.base_url.rstrip("/")
        self._url = parsed_url(f"{base}/chat/completions", f"bot {spec}")
        self._game = "Texas hold'em"
        self._elsewhere = 0.0
        self.ledger = Ledger(Path(config.ledger) if config.ledger else None)

    def fingerprint(self) -> str:
        """A checksum of model, prompt and settings; what is behind the server cannot be known."""
        return self.config.digest()

    @property
    def parameters(self) -> Any:
        """Model and settings, without the key."""
        config = self.config
        return {"model": config.model, "base_url": config.base_url, "temperature": config.temperature}

    def keep_records(self, folder: Path, place: int) -> None:
        """Keeps its decisions in the folder of the match, unless its file names another place."""
        if not self.config.ledger:
            self.ledger.move(folder / ledger_name(place))

    def count_spent(self, dollars: float) -> None:
        """The budget holds for all tables of a tournament together."""
        self._elsewhere = dollars

    def usage(self) -> dict[str, Any]:
        """Tokens, cost, unusable answers and latency so far."""
        return usage(self.ledger.entries.values())

    def start(self, game: Game, clocks: Clocks) -> None:
        """Notes the game, for its prompts."""
        self._game = f"{game.betting} Texas hold'em"

    def answers(self, decisions: Decisions) -> list[Any]:
        """Asks all decisions that the ledger does not know; faults are reported in the order of the decisions."""
        asked = [self._ask_of(decisions, row) for row in range(len(decisions))]
        self._check_budget(asked)
        outcomes: dict[str, Entry | _Failed] = {}
        new = [one for one in {one.key: one for one in asked}.values() if one.key not in self.ledger.entries]
        with ThreadPoolExecutor(self.config.concurrency) as pool:
            for one, outcome in zip(new, pool.map(self._decide, new), strict=True):
                outcomes[one.key] = outcome
        self._check_budget([one for one in asked if isinstance(outcomes.get(one.key), _Failed)])
        found: list[Any] = []
        for one in asked:
            outcome = outcomes.get(one.key) or self.ledger.entries[one.key]
            found.append(self._taken(decisions, one.row, outcome, is_new=one.key in outcomes))
        return found

    def _taken(self, decisions: Decisions, row: int, outcome: "Entry | _Failed", *, is_new: bool) -> Any:
        """The action of a decision; its time is charged if it was asked now."""
        if isinstance(outcome, _Failed):
            decisions.report_fault(row, outcome.kind, str(outcome))
            return NO_ANSWER
        if is_new:
            decisions.timing.watch.charge(decisions.timing.hands[row], outcome.seconds)
        if outcome.action is None:
            decisions.report_fault(row, "nonsense", outcome.fault)
            return NO_ANSWER
        return outcome.action

    def _ask_of(self, decisions: Decisions, row: int) -> _Ask:
        view = decisions.views.one(row)
        bits = decisions.random_bits[row]
        prompt = self.config.prompt.format(**fields_of(view, self._game, (int(bits[0]) >> 11) / (1 << 53)))
        key = hashlib.sha256(f"{self.config.digest()}\n{bits.tolist()}\n{prompt}".encode()).hexdigest()
        timing = decisions.timing
        return _Ask(row, key, prompt, view, min(timing.watch.allowance(timing.hands[row]), self.config.timeout))

    def _check_budget(self, asked: list[_Ask]) -> None:
        """Ends the match before anything is asked that the budget does not allow."""
        if self._spent and not all(one.key in self.ledger.entries for one in asked):
            said = f"{self.name}: the budget of {self.config.budget:g} dollars is spent; the match ends here"
            warnings.warn(said, stacklevel=2)
            raise MatchEnds(said)

    @property
    def _spent(self) -> bool:
        """Whether the budget is used up."""
        return self.config.budget > 0 and self.ledger.cost + self._elsewhere >= self.config.budget

    def _decide(self, one: _Ask) -> "Entry | _Failed":
        """Asks a decision, again if its answer cannot be used, and keeps what came of it."""
        if self._spent:
            return _Failed("absent", "the budget is spent")  # the match ends before anybody counts this
        messages = [{"role": "system", "content": self.config.system}, {"role": "user", "content": one.prompt}]
        started, tokens = time.monotonic(), [0, 0]
        answers: list[str] = []
        action, problem, asked_again = None, "", 0
        for attempt in range(self.config.retries + 1):
            left = one.seconds - (time.monotonic() - started)
            try:
                text, used, repeated = self._complete(messages, left)
            except _Failed as failed:
                if not answers:
                    return failed
                problem = str(failed)
                break
            asked_again += repeated
            answers.append(text)
            tokens = [tokens[0] + used[0], tokens[1] + used[1]]
            try:
                action, problem = parse_action(text, one.view), ""
                break
            except Unusable as unusable:
                problem = str(unusable)
                asked_again += attempt < self.config.retries
                again = WHY_AGAIN.format(problem=problem)
                messages += [{"role": "assistant", "content": text}, {"role": "user", "content": again}]
        entry = Entry(
            one.key,
            one.prompt,
            tuple(answers),
            action,
            problem if action is None else "",
            tokens[0],
            tokens[1],
            self.config.cost(*tokens),
            round(time.monotonic() - started, 4),
            asked_again,
        )
        self.ledger.add(entry)
        return entry

    def _complete(self, messages: list[dict[str, str]], seconds: float) -> tuple[str, tuple[int, int], int]:
        """The text of an answer, its tokens in and out, and how often the request was repeated."""
        config = self.config
        request = {
            "model": config.model,
            "messages": messages,
            "temperature": config.temperature,
            "max_tokens": config.max_tokens,
        }
        headers = {"Authorization": f"Bearer {self._secret}"} if self._secret else {}
        try:
            reply, repeated = post_again(self._url, request, headers, max(0.001, seconds), config.network_retries)
        except TimeoutError as error:
            raise _Failed("slow", str(error)) from None
        except Unreachable as error:
            raise _Failed("died", str(error)) from None
        if reply.status != 200:
            raise _Failed("died", f"the server answered with status {reply.status}")
        try:
            message = json.loads(reply.body)
            text = message["choices"][0]["message"]["content"]
            used = message.get("usage") or {}
            counts = (_count(used.get("prompt_tokens")), _count(used.get("completion_tokens")))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise _Failed("nonsense", "the server's answer is not a chat completion") from None
        return self._without_key(text if isinstance(text, str) else ""), counts, repeated

    def _without_key(self, text: str) -> str:
        """A text as it may be stored: a server that repeats our key does not get it into our files."""
        return text.replace(self._secret, "***") if self._secret else text


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def load_chat_bot(text: str) -> ChatBot:
    """The bot that `chat:CONFIG.toml` names; its server must be there."""
    path = Path(text.partition(":")[2])
    bot = ChatBot(text, read_config(path))
    check_there(parsed_url(bot.config.base_url, f"bot {text}"), f"bot {text}")
    return bot
