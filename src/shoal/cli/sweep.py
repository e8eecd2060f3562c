"""``shoal sweep``: what every k and epsilon would cost."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.errors import InternalError
from shoal.wording.format import format_count, format_number, format_share

from . import options
from .printing import print_json, print_table, print_warnings
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.sweep import SweepResult

__all__ = ["sweep"]

_REFUSALS = {"VacuousPromise": "vacuous", "NothingLeft": "nothing left"}
"""How points are marked that were refused for another reason than that the promise does not hold."""


@click.command()
@click.argument("data")
@click.option("--k", "k", multiple=True, required=True, metavar="K,K,…", help="The k of the grid: 5,10,20.")
@click.option("--epsilon", multiple=True, metavar="E,E,…", help="The epsilon of the grid, on ratings: 0,1,2.")
@click.option("--method", multiple=True, required=True, metavar="METHOD,…", help="The methods to compare; repeatable.")
@click.option("--out", required=True, metavar="DIR", help="The owner's folder to make, or to go on with.")
@click.option("--l", "l", metavar="L", help="The least standard deviation of sensitive ratings among neighbors.")
@options.semantics
@click.option(
    "--model",
    "-m",
    "models",
    multiple=True,
    metavar="PROMISE",
    help="A promise to keep in addition to that of the grid; repeatable.",
)
@click.option(
    "--measure",
    multiple=True,
    metavar="NAME",
    help="A measure to take besides the quick ones, such as 'average query error'; repeatable.",
)
@options.queries
@options.predict
@options.prediction
@click.option("--withhold", default="0", metavar="SHARE", help="The share of records that may be withheld, such as 2%.")
@options.accept
@options.warn_below
@options.warn_unique
@click.option(
    "--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Number of points worked on at a time."
)
@click.option("--force", is_flag=True, help="Empty a folder of other data or settings, and begin anew.")
@options.schema
@options.duplicates
@click.option("--seed", type=int, help="Make the sweep repeatable.")
@click.option("--secret", metavar="FILE", help="Draw as the release with this secret and the same seed did.")
@options.as_json
@click.pass_context
def sweep(
    context: click.Context,
    data: str,
    as_json: bool,  # noqa: FBT001
    predict: str | None,
    prediction: str | None,
    **settings: Any,
) -> None:
    """Try methods on DATA under a grid of promises, to pick k and epsilon from. Nothing is published.

    Writes one table and its plots to a folder for the owner. A run that was stopped goes on where it was when the same
    command is given again, and a larger grid adds to the points that are there.
    """
    from shoal.jobs.sweep import sweep as job

    with progress_bars(quiet=as_json):
        result = job(data, prediction=options.prediction_settings(predict, prediction), **settings)
    if as_json:
        print_json(result.to_json())
    else:
        _print(result)
    print_warnings(result.warnings)
    context.exit(InternalError.exit_code if result.failed else 0)


def _print(result: "SweepResult") -> None:
    refused = sum(not point["holds"] for point in result.points)
    click.echo(
        f"{format_count(len(result.points), 'point')} on {format_count(result.records, 'record')}, "
        f"{result.run:,} of them new; {refused:,} refused"
    )
    if any(point["epsilon"] is not None for point in result.points):
        click.echo(
            "Cost in steps of the scale: a rating moved by one step costs 1, "
            "a dropped one 1/2 of the span of the scale, an invented one 3/4"
        )
    for method, points in _by_method(result.points).items():
        click.echo()
        _print_costs(method, points, result.measured)
    for failure in result.failed:
        click.echo(f"{click.style('failed', fg='red')}          {failure.method}  {failure.promise}: {failure.fault}")
    click.echo(f"\nTable: {result.table}")
    if result.plots:
        click.echo(f"Plots: {Path(result.plots[0]).parent / '*.svg'} ({len(result.plots)})")
    for note in result.notes:
        click.echo(note)


def _by_method(points: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for point in points:
        found.setdefault(point["method"], []).append(point)
    return found


def _print_costs(method: str, points: Sequence[Mapping[str, Any]], asked: Sequence[str]) -> None:
    """Print what each k costs, a column for each epsilon; then what is kept, and the measures that were asked for."""
    epsilons = _sorted(points, "epsilon")
    click.secho(method, bold=True)
    _print_grid(points, "k", ["distortion" if epsilon is None else _head(epsilon) for epsilon in epsilons], _cost)
    kept = "ratings kept" if any("ratings kept" in point.get("measures", ()) for point in points) else "cells kept"
    shares = [(name, f"{name}, share", _share) for name in (kept, "original and unique")]
    for measure, title, cell in [*shares, *((name, name, _number) for name in asked)]:
        heads = [measure if epsilon is None else _head(epsilon) for epsilon in epsilons]
        click.echo(f"\n{title}" if epsilons != [None] else "")
        _print_grid(points, "k", heads, lambda point, measure=measure, cell=cell: cell(point, measure))


def _head(epsilon: float) -> str:
    return f"ε = {format_number(epsilon)}"


def _print_grid(
    points: Sequence[Mapping[str, Any]],
    corner: str,
    heads: list[str],
    published: Callable[[Mapping[str, Any] | None], str],
) -> None:
    """Print a row for each k and a column for each epsilon."""
    by_place = {(point["k"], point["epsilon"]): point for point in points}
    epsilons = _sorted(points, "epsilon")
    rows = [
        [format_number(k), *(published(by_place.get((k, epsilon))) for epsilon in epsilons)]
        for k in _sorted(points, "k")
    ]
    print_table([corner, *heads], rows)


def _share(point: Mapping[str, Any] | None, measure: str) -> str:
    return "–" if point is None or not point["holds"] else format_share(point["measures"][measure])


def _number(point: Mapping[str, Any] | None, measure: str) -> str:
    value = None if point is None else point.get("measures", {}).get(measure)
    return "–" if value is None else format_number(value)


def _sorted(points: Sequence[Mapping[str, Any]], letter: str) -> list[Any]:
    return sorted({point[letter] for point in points})


def _cost(point: Mapping[str, Any] | None) -> str:
    if point is None:
        return "–"
    if not point["holds"]:
        return _REFUSALS.get(point["refused"], "refused")
    measures = point["measures"]
    cost, withheld = measures.get("cost", measures["distortion"]), measures["records withheld"]
    return format_number(int(cost) if cost == int(cost) else cost) + _remark(point, withheld)


def _remark(point: Mapping[str, Any], withheld: int) -> str:
    remarks = ["vacuous"] if point["vacuous"] else []
    remarks += [f"{withheld:,} withheld"] if withheld else []
    return f" ({', '.join(remarks)})" if remarks else ""
