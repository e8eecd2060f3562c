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
    what = {"ratings": "items", "survey": "columns and items"}.get(result.kind, "columns")
    others = result.named - result.compared - result.absent
    of = "people who may have several" if result.people is None else format_count(result.people, "person", "people")
    click.echo(f"The release has {format_count(result.records, 'record')} of {of}.")
    click.echo(f"Compared: {result.compared:,} of the {result.named:,} {what} that you name.")
    click.echo(f"Not in the release: {result.absent:,}." if result.absent else "", nl=bool(result.absent))
    click.echo(f"Not compared, since others are not assumed to know it: {others:,}." if others else "", nl=bool(others))
    for fit in result.fits:
        _print_fit(fit, of_middles=result.of_middles, has_schema=has_schema)
    click.echo(f"\n{_how_to_read(result)}")
    click.echo("What is promised of the release:")
    for meaning in result.promises:
        click.echo(f"  {meaning}")
    if result.k is not None:
        click.echo(f"Everybody in it is promised to be among at least {result.k:,} people.")


def _print_fit(fit: "Fit", *, of_middles: bool, has_schema: bool) -> None:
    within = "" if fit.tolerance is None else f"Within {fit.tolerance:g} of your ratings: "
    stand_for = (
        "" if fit.people == fit.records else f", which stand for {format_count(fit.people, 'person', 'people')},"
    )
    verb = "fits" if fit.records == 1 and not stand_for else "fit"
    click.echo(f"\n{within}{format_count(fit.records, 'record')}{stand_for} {verb} what you say.")
    if fit.unclear:
        why = "they are centroids of groups" if of_middles else "some of their labels cannot be read for sure"
        cure = "" if of_middles or has_schema else "; the schema of the original may help (--schema)"
        click.echo(f"{format_count(fit.unclear, 'other')} may: {why}{cure}.")
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


def _how_to_read(result: "LookupResult") -> str:
    """Say what follows from how many records fit, and what does not."""
    if result.of_middles:
        return (
            "What is published is the centroid of each group, and nobody's own values: what fits does not show whether "
            "you are in the release."
        )
    last = result.fits[-1]
    if last.records:
        return "Your record may be one of these. That they fit does not show that you are in the release."
    if result.kind != "table":
        return (
            "Your ratings may have been changed by more than that, or withheld: that no record fits does not show that "
            "you are not in the release."
        )
    if last.unclear:
        return "Your record may be one of those that may fit, or not be in the release."
    return "No record fits: yours is not in the release. It may have been withheld."
