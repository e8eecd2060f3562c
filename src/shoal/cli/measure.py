"""``shoal measure``: what is left of use."""

import click

from . import options
from .printing import print_json, print_measures
from .progress_bars import progress_bars

__all__ = ["measure"]


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--ledger", required=True, metavar="DIR", help="The owner's folder that was made with the release.")
@options.as_json
def measure(folder: str, ledger: str, as_json: bool) -> None:  # noqa: FBT001
    """Compare the release in DIR with the originals in its ledger."""
    from shoal import jobs

    with progress_bars(quiet=as_json):
        result = jobs.measure(folder, ledger)
    if as_json:
        print_json(result.to_json())
    else:
        print_measures(result.measures)
