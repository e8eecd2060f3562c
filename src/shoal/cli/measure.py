"""``shoal measure``: utility and information loss."""

import click

from shoal.errors import WordingError

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
@options.queries
@options.predict
@options.prediction
@click.option(
    "--test-on",
    metavar="DIR",
    help="Test classifiers on this release, of other people, instead of on held-out records of DIR….",
)
@click.option("--test-ledger", metavar="DIR", help="The ledger that was made with the release to test on.")
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
    queries: str | None,
    predict: str | None,
    prediction: str | None,
    test_on: str | None,
    test_ledger: str | None,
    useful: str | None,
    seed: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Measure utility and information loss of the releases in DIR… against the originals in their ledgers."""
    from shoal.jobs.measure import measure_several

    with progress_bars(quiet=as_json):
        result = measure_several(
            folders,
            ledgers,
            everything=everything,
            seed=seed,
            plot=plot,
            queries=queries,
            prediction=options.prediction_settings(predict, prediction),
            test_on=_release_to_test_on(test_on, test_ledger),
            useful=useful,
        )
    if as_json:
        print_json(result.to_json())
        return
    print_measures(result.releases)
    for file in result.plots:
        click.echo(f"drawn: {file}")


def _release_to_test_on(folder: str | None, ledger: str | None) -> tuple[str, str] | None:
    if folder is not None and ledger is not None:
        return folder, ledger
    if folder is None and ledger is None:
        return None
    raise WordingError("A release to test on needs its ledger.", "Give both --test-on and --test-ledger.")
