"""Makes the fact files of this folder from the original files: `python tests/data/make_facts.py FOLDER`.

FOLDER has the folders acpc, pluribus, handhq and endgames (see README.md). Each file must come back from its facts as
it was, byte for byte; if one does not, nothing is made.
"""

import json
import lzma
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from real_hands import FACTS, ORIGINALS, PHH_KEYS, PHH_LISTS, Facts, digest, original_text


def acpc_facts(text: str) -> dict[str, Any]:
    """A log of the competition's dealer."""
    lines = text.splitlines()
    _, _, name, game, _, seed = lines[0].split()
    clocks = dict(line.removeprefix("#--").split() for line in lines if line.startswith("#--"))
    states = [line.split(":")[2:] for line in lines if line.startswith("STATE:")]
    _, score, players = lines[-1].split(":")
    names = players.split("|")
    return {
        "name": name,
        "game": game,
        "seed": seed,
        "clocks": clocks,
        "names": names,
        "betting": [state[0] for state in states],
        "cards": [state[1].replace("|", "").replace("/", "") for state in states],
        "values": [state[2].replace("|", " ") for state in states],
        "seats": ["".join(str(names.index(name)) for name in state[3].split("|")) for state in states],
        "score": score.replace("|", " "),
    }


def phh_facts(text: str) -> dict[str, Any]:
    """A file of hands in PHH; numbers stay as they are written, so that 2.50 is not 2.5."""
    hands = list(tomllib.loads(text, parse_float=str).values())
    unknown = {key for hand in hands for key in hand} - set(PHH_KEYS)
    if unknown:
        raise SystemExit(f"PHH keys that are not known: {', '.join(sorted(unknown))}")
    names = sorted({name for hand in hands for name in hand["players"]})
    numbers = {name: str(number) for number, name in enumerate(names)}
    columns = {key: [_phh_fact(key, hand.get(key), numbers) for hand in hands] for key in PHH_KEYS}
    return {
        "hands": len(hands),
        "names": names,
        "blank_lines": int(text.endswith("\n\n")),
        "columns": {key: column for key, column in columns.items() if any(fact is not None for fact in column)},
    }


def _phh_fact(key: str, value: Any, numbers: dict[str, str]) -> str | None:
    if value is None:
        return None
    if key == "actions":
        return " ".join(map(_short_action, value))
    if key == "players":
        return " ".join(numbers[name] for name in value)
    if key in PHH_LISTS:
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short_action(action: str) -> str:
    words = action.split()
    if words[:2] == ["d", "db"]:
        return f"/{words[2]}"
    if words[:2] == ["d", "dh"]:
        return f"{words[2][1:]}={words[3]}"
    return words[0][1:] + {"f": "f", "cc": "c", "cbr": "r", "sm": "s"}[words[1]] + "".join(words[2:])


def endgame_facts(text: str) -> dict[str, Any]:
    """The reach probabilities of an endgame."""
    return {"reaches": [float(word) for word in text.split()], "end": text[len(text.rstrip()) :]}


SOURCES: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "acpc": ("*.log", acpc_facts),
    "pluribus": ("*.phhs", phh_facts),
    "handhq": ("*.phhs", phh_facts),
    "endgames": ("*.txt", endgame_facts),
}


def facts_in(folder: Path, source: str) -> Facts:
    """The facts of all files of a source, each checked by writing it back."""
    pattern, read = SOURCES[source]
    facts: Facts = {}
    for path in sorted((folder / source).glob(pattern)):
        text = path.read_bytes().decode()
        facts[path.name] = {"sha256": digest(text), **read(text)}
        if original_text(source, facts[path.name]) != text:
            raise SystemExit(f"{path} does not come back from its facts")
    if not facts:
        raise SystemExit(f"there is no {pattern} in {folder / source}")
    return facts


def main(folder: Path) -> None:
    """Writes all fact files, or none."""
    made = {source: facts_in(folder, source) for source in SOURCES}
    for source, facts in made.items():
        text = json.dumps(facts, separators=(",", ":"), ensure_ascii=False)
        packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        (FACTS / f"{source}.json.xz").write_bytes(packed)
        print(f"{source}: {len(facts)} files, {len(packed):,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ORIGINALS)
