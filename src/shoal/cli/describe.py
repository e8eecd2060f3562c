"""``shoal describe``: what is in a file."""

from typing import Any

import click

from shoal.wording.format import format_name, format_number

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

__all__ = ["describe"]


@click.command()
@options.data()
@options.schema
@options.duplicates
@options.as_json
def describe(data: str, schema: str | None, duplicates: str, as_json: bool) -> None:  # noqa: FBT001
    """Describe what is in DATA and how it was read; print a schema to start from where one is needed."""
    from shoal.jobs.describe import describe as job

    with progress_bars(quiet=as_json):
        result = job(data, schema, duplicates=duplicates)  # type: ignore[arg-type]
    if as_json:
        print_json(result.to_json())
        return
    for name, fact in result.facts.items():
        click.echo(f"{format_name(name):<17} {_in_words(fact)}")
    for note in result.notes:
        click.echo(f"• {note}")
    if result.columns:
        click.echo()
        head = list(result.columns[0])
        print_table(head, [[_in_words(column[key]) for key in head] for column in result.columns])
    if result.starter is not None:
        click.echo("\nA schema to start from (fill in the roles, then pass it with --schema):\n")
        click.echo(result.starter)


def _in_words(fact: Any) -> str:
    if fact is None:
        return "–"
    if isinstance(fact, dict):
        return ", ".join(f"{name} {_in_words(value)}" for name, value in fact.items())
    if isinstance(fact, list):
        return "(" + ", ".join(fact) + ")"
    return fact if isinstance(fact, str) else format_number(fact)
