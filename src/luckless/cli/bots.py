"""`luckless bots`: every shipped bot with its rule and its parameters, and how other bots are named."""

from typing import TYPE_CHECKING, Any

from luckless.cli.output import JsonFlag, new_console, print_json

if TYPE_CHECKING:
    from luckless.bots.parameters import Entry, Parameter


def command(json: JsonFlag = False) -> None:
    """Lists the shipped bots: rule, parameters, their defaults and allowed values."""
    from luckless.bots.catalogue import FORMS
    from luckless.bots.registry import ENTRIES

    if json:
        forms = [{"form": form, "meaning": meaning} for form, meaning in FORMS.items()]
        print_json({"bots": [_as_dict(entry) for entry in ENTRIES], "forms": forms})
    else:
        _print(ENTRIES, FORMS)


def _as_dict(entry: "Entry") -> dict[str, Any]:
    parameters = [
        {
            "name": parameter.name,
            "default": parameter.default_text if parameter.choices else parameter.default,
            **({"choices": list(parameter.choices)} if parameter.choices else _bounds(parameter)),
            "meaning": parameter.meaning,
        }
        for parameter in entry.parameters
    ]
    return {"name": entry.name, "rule": entry.summary, "parameters": parameters}


def _bounds(parameter: "Parameter") -> dict[str, Any]:
    return {"low": parameter.low, "high": parameter.high, "whole": parameter.whole}


def _print(entries: "tuple[Entry, ...]", forms: dict[str, str]) -> None:
    from rich.table import Table
    from rich.text import Text

    bots, parameters = (Table(box=None, padding=(0, 2, 0, 0), show_header=False) for _ in range(2))
    for table in (bots, parameters):
        table.add_column(no_wrap=True, style="bold")
    for entry in entries:
        bots.add_row(entry.name, entry.summary)
        if entry.parameters:
            defaults = (f"{parameter.name}={parameter.default_text}" for parameter in entry.parameters)
            bots.add_row("", Text(" ".join(defaults), style="dim"))
    for form, meaning in forms.items():
        bots.add_row(form, meaning)
    for parameter in {parameter.name: parameter for entry in entries for parameter in entry.parameters}.values():
        parameters.add_row(parameter.name, f"{parameter.meaning} ({parameter.allowed})")
    console = new_console()
    console.print(bots)
    console.print("\nParameters follow a colon, such as pot-odds:risk=0.05,win=simulate.")
    console.print(parameters)
