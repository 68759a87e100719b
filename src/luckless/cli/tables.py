"""`luckless tables`: the precomputed tables."""

import typer

app = typer.Typer(help="The precomputed tables.", no_args_is_help=True)


@app.command("build")
def build() -> None:
    """Placeholder."""
