"""Texts from elsewhere, made safe to look at."""

import unicodedata

import pytest

from luckless.visible import visible, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x08c\x7f\x00", "a\\rb\\x08c\\x7f\\x00"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\u2066x\u2069\u200f\ufeff\u2028", "\\u2066x\\u2069\\u200f\\ufeff\\u2028"),
        ("\udcff\U000e0041", "\\udcff\\U000e0041"),
        ("Ämma ♠ 三 👩\u200d🚀 ±\n\tx", "Ämma ♠ 三 👩\u200d🚀 ±\n\tx"),
    ],
)
def test_signs_that_steer_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_one_line_stays_one_line() -> None:
    assert visible_line("a\nerror: \tb\x1b") == "a\\nerror: \\tb\\x1b"


def test_no_control_or_turning_sign_of_unicode_is_left() -> None:
    """All of Cc but tab and new line, the separators of lines, halves of letters, and what turns text around."""
    bidirectional = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"}
    allowed = {"\n", "\t", "\u200c", "\u200d"}  # joiners are parts of letters
    for number in range(0x110000):
        sign = chr(number)
        steers = unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or (
            unicodedata.bidirectional(sign) in bidirectional and unicodedata.category(sign) == "Cf"
        )
        if steers and sign not in allowed and not 0x1BCA0 <= number <= 0x1D17A:  # shorthand and music
            assert visible(sign) != sign, hex(number)
