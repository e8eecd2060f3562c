"""``shoal hierarchy``: hierarchies for people to make, mend and look at."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.wording.format import format_count, format_number

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.hierarchy import CheckedHierarchy, SuggestedHierarchy

__all__ = ["hierarchy"]

_MOST_LINES = 20


@click.group()
def hierarchy() -> None:
    """Suggest, check and draw generalization hierarchies of columns."""


def _numbers(kind: Callable[[str], Any]) -> Callable[..., tuple[Any, ...] | None]:
    """Read numbers between commas."""

    def read(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[Any, ...] | None:
        if text is None:
            return None
        try:
            return tuple(kind(part) for part in text.split(","))
        except ValueError:
            raise click.BadParameter("Numbers between commas are expected.") from None

    return read


@hierarchy.command()
@options.data()
@click.option("--column", required=True, metavar="NAME", help="The column to make a hierarchy for.")
@click.option(
    "--kind",
    type=click.Choice(["interval", "quantile", "mask", "date", "frequency"]),
    help="How values are grouped; the likely kind by default.",
)
@click.option("--widths", callback=_numbers(float), metavar="W,W,…", help="Widths of intervals, such as 5,10,20.")
@click.option("--parts", callback=_numbers(int), metavar="N,N,…", help="Numbers of quantiles, such as 16,8,4,2.")
@click.option(
    "--shares",
    callback=_numbers(float),
    metavar="S,S,…",
    help="The least share of records of a label, such as 0.02,0.1.",
)
@click.option("--out", metavar="FILE", help="The hierarchy to write (CSV), for you to edit.")
@click.option("--force", is_flag=True, help="Replace a hierarchy that exists.")
@options.schema
@options.as_json
def suggest(data: str, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """Suggest a hierarchy for a column of DATA, and show how coarse its levels are.

    interval: round intervals of numbers; quantile: intervals with about equally many records; mask: codes without their
    last characters; date: day, month, quarter, year, decade; frequency: the rarest values are joined first. The file
    lists the values of the column: it stays with the owner of the data.
    """
    from shoal.jobs.hierarchy import suggest_hierarchy

    with progress_bars(quiet=as_json):
        result = suggest_hierarchy(data, **settings)
    if as_json:
        print_json(result.to_json())
    else:
        _print_suggestion(result)


@hierarchy.command()
@click.argument("file")
@click.option("--data", metavar="DATA", help="The data that it must cover: does it list every value that occurs?")
@click.option("--column", metavar="NAME", help="The column of the data it is for.")
@options.schema
@options.as_json
@click.pass_context
def check(context: click.Context, file: str, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """List everything that is wrong with a hierarchy FILE. Exit 0: nothing; 1: something."""
    from shoal.jobs.hierarchy import check_hierarchy

    with progress_bars(quiet=as_json):
        result = check_hierarchy(file, **settings)
    if as_json:
        print_json(result.to_json())
    else:
        _print_check(file, result)
    context.exit(0 if result.holds else 1)


@hierarchy.command()
@click.argument("file", required=False)
@click.option("--data", metavar="DATA", help="Count the records that have each label.")
@click.option("--column", metavar="NAME", help="The column of the data it is for.")
@click.option(
    "--most",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    help="Draw at most this many branches of a label.",
)
@click.option("--values/--no-values", default=None, help="Whether to draw the values themselves (if FILE is given).")
@options.schema
@options.as_json
def draw(file: str | None, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """Draw the hierarchy of FILE or, without FILE, the one that the schema declares for a column of the data."""
    from shoal.jobs.hierarchy import draw_hierarchy

    with progress_bars(quiet=as_json):
        result = draw_hierarchy(file, **settings)
    if as_json:
        print_json(result.to_json())
        return
    for line in result.lines:
        click.echo(line)
    click.echo(f"\nlabels per level: {' → '.join(format_number(size) for size in result.sizes)}")


def _print_suggestion(result: "SuggestedHierarchy") -> None:
    click.echo(f"kind: {result.kind}")
    rows = [
        [
            f"{number}" + (" (values)" if number == 0 else ""),
            format_number(level.labels),
            format_number(level.fewest),
            format_number(level.most),
        ]
        for number, level in enumerate(result.levels)
    ]
    print_table(["level", "labels", "fewest records", "most records"], rows)
    if result.out is None:
        click.echo("Write it with --out FILE.csv")
        return
    click.echo(f"Wrote {result.out}. Edit it, then: shoal hierarchy check {result.out}")
    click.echo(f'In the schema, by its path from there: hierarchy = "{Path(result.out).name}"')


def _print_check(file: str, result: "CheckedHierarchy") -> None:
    if result.holds:
        size = f"{format_count(result.values, 'value')} on {format_count(result.levels, 'level')}"
        click.echo(f"{click.style('holds', fg='green')}   {file}: {size}")
    for fault in result.faults:
        click.echo(f"{click.style('fault', fg='red')}   {fault.sentence}{_lines(fault.lines)}")
        click.echo(f"        {fault.cure}")
    for note in result.notes:
        click.echo(f"• {note}")


def _lines(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return ""
    shown = ", ".join(str(number) for number in numbers[:_MOST_LINES])
    more = f" and {len(numbers) - _MOST_LINES:,} more" if len(numbers) > _MOST_LINES else ""
    return f" {'Line' if len(numbers) == 1 else 'Lines'} {shown}{more}."
