"""``shoal lookup``: am I in it?"""

from typing import TYPE_CHECKING

import click

from shoal.wording.format import format_count

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.lookup import Fit, LookupResult

__all__ = ["lookup"]

_MOST_VALUES = 5


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--me",
    required=True,
    metavar="FILE",
    help="What is known of you: lines of item,rating; for a table, names of columns and one line of values; "
    "for a survey, names of columns and items and one line of values.",
)
@click.option("--tolerance", metavar="T", help="Also look for records within T rating points.")
@click.option(
    "--schema",
    metavar="FILE",
    help="For a table or a survey: the schema of the original, whose hierarchies explain its labels.",
)
@options.as_json
def lookup(folder: str, me: str, tolerance: str | None, schema: str | None, as_json: bool) -> None:  # noqa: FBT001
    """Find the records of the release in DIR that fit what is known of you, and what they reveal. Writes nothing."""
    from shoal.jobs.lookup import lookup as job

    with progress_bars(quiet=as_json):
        result = job(folder, me, tolerance=tolerance, schema=schema)
    if as_json:
        print_json(result.to_json())
    else:
        _print(result, has_schema=schema is not None)


def _print(result: "LookupResult", *, has_schema: bool) -> None:
    from shoal.jobs.lookup.in_words import doubts_in_words, how_to_read, named_in_words

    for sentence in (*named_in_words(result), *doubts_in_words(result)):
        click.echo(sentence)
    for fit in result.fits if result.compared else ():
        _print_fit(fit, of_middles=result.of_middles, has_schema=has_schema)
    click.echo(f"\n{how_to_read(result)}")
    click.echo("What is promised of the release:")
    for meaning in result.promises:
        click.echo(f"  {meaning}")
    if result.k is not None:
        click.echo(f"Everybody in it is promised to be among at least {result.k:,} people.")


def _print_fit(fit: "Fit", *, of_middles: bool, has_schema: bool) -> None:
    from shoal.jobs.lookup.in_words import fit_in_words

    cure = "" if has_schema else "; the schema of the original may help (--schema)"
    click.echo()
    for sentence in fit_in_words(fit, of_middles=of_middles, cure=cure):
        click.echo(sentence)
    for each in fit.sensitive if fit.records else ():
        rows = [
            [
                "(none)" if value is None else value,
                f"{count / fit.records:.1%}",
                f"{each.overall[value] / sum(each.overall.values()):.1%}",
            ]
            for value, count in list(each.among.items())[:_MOST_VALUES]
        ]
        left = len(each.among) - len(rows)
        click.echo()
        print_table([each.name, "of these", "of all"], rows)
        click.echo(f"… and {format_count(left, 'other value')}" if left else "", nl=bool(left))
