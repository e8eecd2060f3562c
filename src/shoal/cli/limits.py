"""``shoal limits``: the best parameters that data meet."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from shoal.errors import WordingError
from shoal.wording.format import format_count

from . import options
from .printing import print_json
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.limits import LimitsResult

__all__ = ["limits"]

_BEST = {"epsilon": "smallest epsilon", "k": "largest k", "l": "largest l"}


@click.command()
@click.argument("data")
@click.option(
    "--given", "given", multiple=True, metavar="LETTER=N", help="What is given: k=5, epsilon=1 or l=1.0; repeatable."
)
@options.schema
@options.semantics
@click.option(
    "--spread",
    type=click.Choice(["non-null", "pairwise", "over-all", "null-as-zero"]),
    default="non-null",
    show_default=True,
    help="How missing ratings count in the standard deviation behind l.",
)
@click.option(
    "--all-null",
    type=click.Choice(["refuse", "accept"]),
    default="refuse",
    show_default=True,
    help="Whether neighbors of whom none rated a sensitive issue break an l (refuse) or keep it (accept).",
)
@options.search
@options.duplicates
@options.as_json
def limits(data: str, given: tuple[str, ...], schema: str | None, as_json: bool, **settings: str) -> None:  # noqa: FBT001
    """Find the best k, epsilon and l that the ratings in DATA meet.

    Given k, the smallest epsilon and the largest l with it; given epsilon, the largest k and l; given l, the smallest
    epsilon and the largest k with it; given two of them, the third.
    """
    from shoal.jobs.limits import limits as job

    letters = _letters(given)
    with progress_bars(quiet=as_json):
        result = job(data, letters, schema, **settings)  # type: ignore[arg-type]
    if as_json:
        print_json(result.to_json())
    else:
        _print(result)


def _letters(given: tuple[str, ...]) -> dict[str, str]:
    letters: dict[str, str] = {}
    for part in ",".join(given).split(",") if given else ():
        letter, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise WordingError(f"--given {part.strip()!r} says no number.", "Write --given k=5, for example.")
        if letter in letters:
            raise WordingError(f"{letter!r} is given twice.")
        letters[letter] = value
    return letters


def _print(result: "LimitsResult") -> None:
    given = " and ".join(f"{letter} = {_in_full(value)}" for letter, value in result.given.items())
    groups = ", in groups" if result.semantics == "partition" else ""
    click.echo(f"{format_count(result.records, 'record')}{groups}, given {given}:")
    for letter, best in _BEST.items():
        if letter not in result.given:
            click.echo(f"  {best:<17} {_in_full(getattr(result, letter))}")
    for sentence in _remarks(result):
        click.echo(sentence)
    mark = click.style("vacuous", fg="yellow") + "         These answers protect nobody. " if result.vacuous else ""
    click.echo(mark + _vacuity(result))
    if result.promise is not None:
        click.echo(f"{click.style('holds', fg='green')}           {result.promise}")


def _remarks(result: "LimitsResult") -> Iterator[str]:
    yield from result.reasons
    if result.l is None and not result.reasons:
        yield "No issue is declared sensitive, so there is no l."
    if result.k == 1:
        yield "With k = 1 nobody is hidden."
    if not result.proven:
        yield "Not every split into groups was tried, so something better may exist."


def _vacuity(result: "LimitsResult") -> str:
    """Say from which epsilon on less is said than it seems."""
    if result.span == result.vacuous_from:
        return f"From epsilon = {_in_full(result.span)} on, any two records are near and every answer is vacuous."
    return (
        f"From epsilon = {_in_full(result.span)} on, only which issues people rated is protected, not how; "
        f"from {_in_full(result.vacuous_from)} on, any two records are near and every answer is vacuous."
    )


def _in_full(number: int | Fraction | None) -> str:
    """Write a number in full: a rounded one might not hold."""
    if number is None:
        return "–"
    return f"{number:,}" if isinstance(number, int) else f"{float(number):.15g}"
