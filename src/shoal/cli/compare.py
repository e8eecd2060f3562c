"""``shoal compare``: columns before and after."""

from typing import TYPE_CHECKING

import click

from shoal.wording.format import format_share

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.compare_columns import ColumnsResult

__all__ = ["compare"]


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--ledger", required=True, metavar="DIR", help="The ledger that was made with the release.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME",
    help="A column or an item; repeatable. By default all columns, or the items with most ratings.",
)
@click.option("--pair", nargs=2, metavar="NAME NAME", help="Two columns or items to compare together.")
@options.as_json
def compare(folder: str, ledger: str, columns: tuple[str, ...], pair: tuple[str, str] | None, as_json: bool) -> None:  # noqa: FBT001
    """Compare columns of the release in DIR with their originals: shares of values before and after.

    What is printed holds values of records, and is for the owner.
    """
    from shoal.jobs.compare_columns import compare_columns

    with progress_bars(quiet=as_json):
        result = compare_columns(folder, ledger, columns=columns, pair=pair or ())
    if as_json:
        print_json(result.to_json())
    else:
        _print(result)


def _print(result: "ColumnsResult") -> None:
    for number, each in enumerate(result.columns):
        click.echo("\n" if number else "", nl=False)
        rows = zip(each.classes, each.before, each.after, strict=True)
        shares = [[name, format_share(before), format_share(after)] for name, before, after in rows]
        print_table([each.name, "before", "published"], shares)
        click.echo(f"{format_share(each.distance)} of the records would have to move back.")
    if result.pair is not None:
        names, classes = result.pair.names, result.pair.classes
        click.echo(f"\n{names[0]} with {names[1]}: shares of records, before → published")
        both = zip(classes[0], result.pair.before, result.pair.after, strict=True)
        rows = [[name, *map(_arrow, before, after)] for name, before, after in both]
        print_table(["", *classes[1]], rows)
        click.echo(f"{format_share(result.pair.distance)} of the records would have to move back.")


def _arrow(before: float, after: float) -> str:
    return f"{format_share(before)} → {format_share(after)}"
