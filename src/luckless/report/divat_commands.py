"""The command that judges hands by DIVAT again, and the file of settings that it may need."""

from collections.abc import Callable, Iterable, Sequence

from luckless.divat.judgement import Judgement
from luckless.divat.settings import BET_STYLES, FOLD_STYLES, SLIDES, STANDARD, DivatSettings
from luckless.divat.settings_file import settings_toml
from luckless.divat.sweep import Sweep
from luckless.report.commands import command_text, file_name


def divat_command(judgement: Judgement, sweep: Sweep | None, source: Sequence[str] = ()) -> str:
    """The command that judges logs again; `source` are options that say how they were read."""
    valuation = judgement.valuation
    words = [*judgement.played.sources, *source]
    words += ["--equity", valuation.equity] if valuation.equity != "roe" else []
    words += settings_words(valuation.settings)
    words += ["--sampled", str(valuation.sampled_flops)] if valuation.sampled_flops else []
    words += ["--unknown", judgement.unknown_as] if judgement.unknown_as != "leave" else []
    if sweep is not None:
        words += ["--sweep", "--sweep-hands", str(sweep.hands if sweep.drawn else 0)]
    return command_text("divat", words, {})


def settings_words(settings: DivatSettings) -> list[str]:
    """Options that choose settings; those that no option describes are in a file of their own."""
    for ehr, base in (([], STANDARD), (["--ehr", "max"], SLIDES)):
        for bets, betting in _styles("--bets", BET_STYLES, base.with_bets, base):
            for folds, chosen in _styles("--folds", FOLD_STYLES, betting.with_folds, betting):
                if chosen == settings:
                    return [*ehr, *bets, *folds]
    return ["--settings", settings_file(settings)[0]]


def settings_file(settings: DivatSettings) -> tuple[str, str]:
    """Name and text of a file with settings."""
    return f"{file_name(settings.name)}.toml", settings_toml(settings)


def _styles(
    option: str, styles: Iterable[str], changed: Callable[[str], DivatSettings], base: DivatSettings
) -> list[tuple[list[str], DivatSettings]]:
    """Settings without a style and with each of them, with the words that choose it."""
    return [([], base), *(([option, style], changed(style)) for style in styles)]
