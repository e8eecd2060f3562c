"""``shoal verify``: check a release folder alone."""

import click

from . import options
from .printing import print_json, print_verdicts
from .progress_bars import progress_bars

__all__ = ["verify"]


@click.command()
@click.argument("folder", metavar="DIR")
@options.as_json
@click.pass_context
def verify(context: click.Context, folder: str, as_json: bool) -> None:  # noqa: FBT001
    """Check the release in DIR without the original. Exit 0: it holds; 1: it does not; 2: it was altered."""
    from shoal import jobs

    with progress_bars(quiet=as_json):
        result = jobs.verify(folder)
    if as_json:
        print_json(result.to_json())
    else:
        of = f" of {result.people:,} people" if result.people != result.records else ""
        click.echo(f"{result.records:,} records{of}; the files are as the certificate says.")
        if result.unit == "records":
            click.echo("Sizes count records, not people: one person may have several records in a class.")
        print_verdicts(result)
    context.exit(0 if result.holds else 1)
