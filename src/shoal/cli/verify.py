"""``shoal verify``: check a release folder alone."""

from typing import Any

import click

from shoal.wording.format import format_count

from . import options
from .printing import print_json, print_verdicts
from .progress_bars import progress_bars

__all__ = ["verify"]


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--ledger", metavar="DIR", help="The ledger that was made with it: is this the very same release?")
@options.engine
@options.as_json
@click.pass_context
def verify(
    context: click.Context,
    folder: str,
    ledger: str | None,
    as_json: bool,  # noqa: FBT001
    **settings: Any,
) -> None:
    """Check the release in DIR without the original. Exit 0: it holds; 1: it does not; 2: it was altered.

    What a release alone cannot show is listed as its publisher's claim; its owner can check that too, with the ledger.
    """
    from shoal.jobs.verify import verify as job

    with progress_bars(quiet=as_json):
        result = job(folder, ledger, **settings)
    if as_json:
        print_json(result.to_json())
    else:
        of = ", of which a person may have several" if result.people is None else ""
        click.echo(f"{format_count(result.records, 'record')}{of}; the files match the certificate.")
        if result.unit == "records":
            click.echo("Sizes count records, not people: one person may have several records in a class.")
        print_verdicts(result)
        if ledger is not None and result.holds:
            click.echo("The ledger agrees: the same records, and as many people behind each of them.")
        for claim in result.claimed:
            click.echo(f"claimed         {claim}")
    context.exit(0 if result.holds else 1)
