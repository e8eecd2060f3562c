"""``shoal describe``: what is in a file."""

import sys
from typing import TYPE_CHECKING

import click

from . import options
from .printing import print_json
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.display import Table
    from shoal.jobs.description import Description

__all__ = ["describe"]


@click.command()
@options.data()
@options.schema
@options.duplicates
@click.option(
    "--values/--no-values",
    default=None,
    help="Whether to show frequent values; by default on a terminal only, not in a pipe, a file or JSON.",
)
@click.option("--out", metavar="FILE", help="Write the schema to start from into this file, such as schema.toml.")
@click.option("--html", metavar="FILE", help="Write a page with histograms, for the owner of the data only.")
@click.option("--force", is_flag=True, help="Replace an earlier starter schema or page.")
@options.as_json
def describe(
    data: str,
    schema: str | None,
    duplicates: str,
    values: bool | None,  # noqa: FBT001
    out: str | None,
    html: str | None,
    force: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Describe what is in DATA and how it was read: columns, who may be named by them, and how they tell people apart.

    Without a schema, one to start from is printed. Roles are left open, except of what surely names people.
    """
    from shoal.jobs.describe import describe as job

    shown = values if values is not None else sys.stdout.isatty() and not as_json
    with progress_bars(quiet=as_json):
        result = job(data, schema, duplicates=duplicates, values=shown, out=out, html=html, force=force)  # type: ignore[arg-type]
    if as_json:
        print_json(result.to_json())
        return
    _print(result, values=shown)
    if out is not None:
        click.echo(f"\nA schema to start from is in {out}: {_to_do(result)}, then pass it with --schema.")
    elif result.facts["kind"] == "unknown":
        click.echo(f"\nA schema to start from ({_to_do(result)}, then pass it with --schema):\n")
        click.echo(result.starter)
    if html is not None:
        click.echo(f"\nThe page for the owner is in {html}. It is not for publication.")


def _to_do(result: "Description") -> str:
    """Return what is left to the owner: ratings have lists of columns, and tables a role for each."""
    is_table = 'kind = "table"' in (result.starter or "")
    return "fill in the roles that are open" if is_table else "check which columns are which"


def _print(result: "Description", *, values: bool) -> None:
    for name, words in result.facts_in_words:
        click.echo(f"{name:<17} {words}")
    for note in result.notes:
        click.echo(f"• {note}")
    for sentence in result.far_out():
        click.echo(f"{click.style('!', fg='yellow', bold=True)} {sentence}")
    for table in result.tables():
        _print_table(table)
    if not values and result.table is not None:
        click.echo("\nFrequent values are not shown here; --values shows them.")


def _print_table(table: "Table") -> None:
    from shoal.display.as_text import aligned
    from shoal.display.summary import printable

    rows = [[printable(cell) for cell in row] for row in table.rows]
    left = [i for i, head in enumerate(table.head) if head in table.words]
    click.echo(f"\n{table.caption}")
    for line in aligned(table.head, rows, left):
        click.echo(line)
    if table.more:
        click.echo(f"… and {table.more:,} more")
