"""Every error message and warning of the package in one list, tests/error_messages.txt, for readers to review.

The test fails when the list is out of date. Make it anew with `python tests/test_error_messages.py`, and read what is
new as somebody who meets it for the first time: what was wrong, where, and what is allowed?
"""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "luckless"
LISTED = Path(__file__).with_name("error_messages.txt")

SPEAKERS = {"fail": 0, "warn": 0, "refuse": 1, "refuse_value": 2}
"""Functions that take a message, and which argument it is. Exceptions take it wherever a text stands."""

PARTS = {"advice", "damage", "hint", "needed", "problem", "reason", "said"}
"""Variables that hold a part of a message until it is complete."""

DIALECT = (
    r"\b(is|are|was|were) none\b",  # "a raise to 0 is none": 0 is not a valid raise
    r"(?<!there )\bis no (?!longer\b|more\b)",  # "is no card": is not a card
    r"(?<!there )\bare no (?!longer\b|more\b)",
    r"\bthat is none\b",
    r"\bas good as none\b",
    r"\bgone? on with\b",  # "cannot be gone on with": cannot resume
    r"\bgoes on with\b",
    r"\bto mend\b",  # "the caller's to mend": caused by bad input
    r"\bfor (it|he|they|[a-z{}]+) keeps?\b",  # "for" as "because"
    r"\bsays all there is\b",
    r"\bwhere (it|they) (lies?|stands?)\b",
    r"\b(is|are|was|were) asked for\b",
    r"\bhas no such\b",
    r"\bas (it|they) should\b",
    r"\bcame of\b",
    r"\bread was\b",
)
"""Turns of phrase that must be read twice. Each stood in our messages once; none is a term of poker or statistics."""


def error_classes(trees: dict[str, ast.Module]) -> set[str]:
    """InputError and every class of the package that ends in an exception, by the names of their bases."""
    bases = {
        node.name: {name.id for name in node.bases if isinstance(name, ast.Name)}
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    errors = {"Exception", "BaseException", "ValueError", "OSError", "RuntimeError", "TypeError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    return errors & set(bases)


def as_text(node: ast.expr) -> str | None:
    """The message as a reader sees it, with {expression} where a value is put in; None for what is not a text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(as_text(part) or "" for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return as_choice(node.value) or as_placeholder(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = (as_text(node.left), as_text(node.right))
        if any(parts):
            return "".join(
                part or as_placeholder(side) for part, side in zip(parts, (node.left, node.right), strict=True)
            )
        return None
    return as_choice(node)


def as_choice(node: ast.expr) -> str | None:
    """`a if condition else b` as (a | b), if either is a text."""
    if not isinstance(node, ast.IfExp):
        return None
    parts = (as_text(node.body), as_text(node.orelse))
    if all(part is None for part in parts):
        return None
    sides = zip(parts, (node.body, node.orelse), strict=True)
    return f"({' | '.join(as_placeholder(side) if part is None else part for part, side in sides)})"


def as_placeholder(node: ast.expr) -> str:
    """The source of a value, without texts inside texts, which Python's versions write differently."""
    if any(isinstance(part, ast.JoinedStr) for part in ast.walk(node)):
        return "{...}"
    return f"{{{ast.unparse(node)}}}"


def called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def assigned_names(node: ast.Assign | ast.AugAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def messages(tree: ast.Module, errors: set[str]) -> Iterator[str]:
    """Every text that an exception, a warning or a refusal of this module carries."""
    raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    for node in ast.walk(tree):
        carried: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.AugAssign):
            carried = [node.value] * bool(PARTS & assigned_names(node))
        elif isinstance(node, ast.Call) and (name := called_name(node)) in SPEAKERS:
            carried = node.args[SPEAKERS[name] : SPEAKERS[name] + 1]
        elif isinstance(node, ast.Call) and (name in errors or id(node) in raised):
            carried = node.args
        for text in map(as_text, carried):
            if text is not None and " " in text:
                yield " ".join(text.split())


@functools.cache
def listing() -> str:
    paths = sorted(SOURCE.rglob("*.py"))
    trees = {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    errors = error_classes(trees)
    return "".join(
        f"{name}: {message}\n" for name, tree in trees.items() for message in sorted(set(messages(tree, errors)))
    )


def test_the_list_of_messages_is_up_to_date() -> None:
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    there = listing().splitlines()
    new, gone = set(there) - set(listed), set(listed) - set(there)
    assert there == listed, (
        f"error messages have changed: review them, then run 'python {Path(__file__).name}' in tests/.\n"
        f"new: {sorted(new)}\ngone: {sorted(gone)}"
    )


def test_messages_are_found_in_all_their_forms() -> None:
    source = """
raise InputError(f"{where}: a bet of {bet} is too small" + advice)
fail("cannot do it" if early else f"too late for {name!r}", 2)
problem = f"{key} is missing"
self.refuse(path, "must not fall")
warnings.warn(f"{', '.join(names)} are slow", stacklevel=2)
print("not a message")
"""
    assert sorted(messages(ast.parse(source), {"InputError"})) == [
        "(cannot do it | too late for {name})",
        "must not fall",
        "{', '.join(names)} are slow",
        "{key} is missing",
        "{where}: a bet of {bet} is too small{advice}",
    ]


def test_messages_are_in_plain_words() -> None:
    odd = [line for line in listing().splitlines() for turn in DIALECT if re.search(turn, line, re.IGNORECASE)]
    assert not odd, "say it plainly (X is Y; allowed is Z):\n" + "\n".join(odd)


if __name__ == "__main__":
    LISTED.write_text(listing(), encoding="utf-8")
