"""``shoal limits``: the best parameters that data meet."""

from typing import TYPE_CHECKING

import click

from shoal.errors import WordingError

from . import options
from .printing import print_json
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.limits import ItemLimitsResult, LimitsResult, TableLimitsResult

__all__ = ["limits"]


@click.command()
@options.data()
@click.option(
    "--given", "given", multiple=True, metavar="LETTER=N", help="What is given: k=5, epsilon=1, l=1.0 or m=2."
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
@click.option("--part", type=click.Choice(["answers", "demographics"]), help="Of a survey, the limits of one part.")
@options.search
@options.duplicates
@options.engine
@options.as_json
def limits(data: str, given: tuple[str, ...], schema: str | None, as_json: bool, **settings: str | None) -> None:  # noqa: FBT001
    """Find the best k, epsilon and l that the ratings in DATA meet, or the best k, l and t of a table.

    Given k, the smallest epsilon and the largest l with it; given epsilon, the largest k and l; given l, the smallest
    epsilon and the largest k with it; given two of them, the third. Given m, or k where the data are sets, those of
    km-anonymity: the largest k or m. Of a survey, people are compared with those of equal demographics. Of a table
    nothing is given.
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
            raise WordingError(f"{letter!r} is given twice.", "Leave one of them out.")
        letters[letter] = value
    return letters


def _print(result: "LimitsResult | ItemLimitsResult | TableLimitsResult") -> None:
    click.echo(f"{result.question}:")
    for best, number in result.answers:
        click.echo(f"  {best:<17} {number}")
    for sentence in result.remarks:
        click.echo(sentence)
    if hasattr(result, "vacuity"):
        _print_vacuity(result)  # type: ignore[arg-type]
    if result.promise is not None:
        click.echo(f"{click.style('holds', fg='green')}           {result.promise}")


def _print_vacuity(result: "LimitsResult") -> None:
    mark = click.style("vacuous", fg="yellow") + "         These answers protect nobody. " if result.vacuous else ""
    click.echo(mark + result.vacuity)
