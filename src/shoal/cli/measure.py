"""``shoal measure``: utility and information loss."""

import click

from . import options
from .printing import print_json, print_measures
from .progress_bars import progress_bars

__all__ = ["measure"]


@click.command()
@click.argument("folders", metavar="DIR…", nargs=-1, required=True)
@click.option(
    "--ledger",
    "ledgers",
    required=True,
    multiple=True,
    metavar="DIR",
    help="The ledger that was made with the release; one for each DIR, in the same order.",
)
@click.option("--all", "everything", is_flag=True, help="Also the measures that take longer.")
@click.option("--plot", metavar="DIR", help="Draw every measure against k and ε into this folder (SVG).")
@click.option("--predict", "target", metavar="COLUMN", help="The column of a table that models are to predict.")
@click.option(
    "--useful", metavar="PRIORITIES", help="How useful columns are, such as age:1;zip:0.5; all the same by default."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of random queries and samples.",
)
@options.as_json
def measure(
    folders: tuple[str, ...],
    ledgers: tuple[str, ...],
    everything: bool,  # noqa: FBT001
    plot: str | None,
    target: str | None,
    useful: str | None,
    seed: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Measure utility and information loss of the releases in DIR… against the originals in their ledgers."""
    from shoal.jobs.measure import measure_several

    with progress_bars(quiet=as_json):
        result = measure_several(
            folders, ledgers, everything=everything, seed=seed, plot=plot, target=target, useful=useful
        )
    if as_json:
        print_json(result.to_json())
        return
    print_measures(result.releases)
    for file in result.plots:
        click.echo(f"drawn: {file}")
