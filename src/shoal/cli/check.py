"""``shoal check``: do promises hold on data as they stand?"""

from typing import Any

import click

from . import options
from .printing import print_json, print_verdicts
from .progress_bars import progress_bars

__all__ = ["check"]


@click.command()
@options.data()
@options.models
@click.option(
    "--explain",
    metavar="FILE",
    help="Write which records break a promise, and what singles them out, for the owner (.csv, .parquet).",
)
@click.option("--force", is_flag=True, help="Replace the file of --explain if it exists.")
@options.search
@options.schema
@options.duplicates
@options.engine
@options.as_json
@click.pass_context
def check(
    context: click.Context,
    data: str,
    as_json: bool,  # noqa: FBT001
    **settings: Any,
) -> None:
    """Judge whether promises hold on DATA as it stands. Exit 0: they hold; 1: they do not."""
    from shoal.jobs.check import check as job

    with progress_bars(quiet=as_json):
        result = job(data, **settings)
    if as_json:
        print_json(result.to_json())
    else:
        print_verdicts(result)
    context.exit(0 if result.holds else 1)
