"""``shoal sweep``: what every k, and every epsilon or m, would cost."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.errors import InternalError
from shoal.wording.format import format_count

from . import options
from .printing import print_json, print_table, print_warnings
from .progress_bars import progress_bars

if TYPE_CHECKING:
    from shoal.jobs.sweep import SweepResult

__all__ = ["sweep"]


@click.command()
@options.data()
@click.option("--k", "k", multiple=True, required=True, metavar="K,K,…", help="The k of the grid: 5,10,20.")
@click.option("--epsilon", multiple=True, metavar="E,E,…", help="The epsilon of the grid, on ratings: 0,1,2.")
@click.option("--m", "m", multiple=True, metavar="M,M,…", help="The m of the grid, for km-anonymity: 1,2,3.")
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
    """Try methods on DATA under a grid of promises, to pick k and epsilon, or k and m, from. Nothing is published.

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
    from shoal.jobs.sweep.cost_tables import cost_tables, points_by_method, second_letter

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
    for method, points in points_by_method(result.points).items():
        click.echo()
        click.secho(method, bold=True)
        for number, table in enumerate(cost_tables(points, result.measured)):
            if number:
                click.echo(f"\n{table.caption}" if second_letter(points) is not None else "")
            print_table(table.head, table.rows)
    for failure in result.failed:
        click.echo(f"{click.style('failed', fg='red')}          {failure.method}  {failure.promise}: {failure.fault}")
    click.echo(f"\nTable: {result.table}")
    if result.plots:
        click.echo(f"Plots: {Path(result.plots[0]).parent / '*.svg'} ({len(result.plots)})")
    for note in result.notes:
        click.echo(note)
