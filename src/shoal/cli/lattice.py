"""``shoal lattice``: what every generalization of a table would cost."""

import click

from shoal.wording.format import format_count

from . import options
from .printing import print_json, print_table
from .progress_bars import progress_bars

__all__ = ["lattice"]

_SHOWN = 20


@click.command()
@options.data()
@options.models
@options.schema
@click.option("--withhold", default="0", metavar="SHARE", help="The share of records that may be withheld, such as 2%.")
@click.option("--method", default="lattice", show_default=True, metavar="METHOD", help="Such as lattice:loss=height.")
@click.option("--minimal", is_flag=True, help="Find all minimal nodes, not only the best.")
@click.option("--every", is_flag=True, help="Search nothing: write every node to --out, with its k, l and entropy.")
@click.option("--out", metavar="FILE", help="Write every node that was evaluated (.csv or .parquet).")
@click.option("--force", is_flag=True, help="Replace an earlier file.")
@options.as_json
def lattice(
    data: str,
    models: tuple[str, ...],
    schema: str | None,
    withhold: str,
    method: str,
    minimal: bool,  # noqa: FBT001
    every: bool,  # noqa: FBT001
    out: str | None,
    force: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Search the generalization lattice of the table DATA: the best node, the minimal ones, all that were evaluated."""
    from shoal.errors import WordingError
    from shoal.jobs.lattice import lattice as job

    if every:
        if models or minimal or (withhold, method) != ("0", "lattice"):
            raise WordingError("Every node is written, whatever it keeps.", "Leave the settings of a search out.")
        _write_every_node(data, schema, out, force=force, as_json=as_json)
        return
    with progress_bars(quiet=as_json):
        result = job(
            data,
            models,
            schema,
            method=method,
            withhold=withhold,
            minimal=minimal,
            out=out,
            force=force,
        )
    if as_json:
        print_json(result.to_json())
        return
    outcome = result.outcome
    click.echo(f"{result.searched}.")
    if not outcome.whole:
        click.echo("Time ran out: a better node than the best found may exist.")
    best = result.best_nodes(_SHOWN)
    print_table(best.head, best.rows)
    if best.more:
        click.echo(f"… and {best.more:,} more{'' if out else '; --out FILE writes all'}.")
    if outcome.minimal is not None:
        click.echo(f"{format_count(len(outcome.minimal), 'minimal node')}:")
        for node in outcome.minimal:
            click.echo("  " + " ".join(map(str, node)))


def _write_every_node(data: str, schema: str | None, out: str | None, *, force: bool, as_json: bool) -> None:
    from shoal.errors import WordingError
    from shoal.jobs.lattice_nodes import lattice_nodes

    if out is None:
        raise WordingError("There is no file to write every node to.", "Add --out FILE.")
    with progress_bars(quiet=as_json):
        written = lattice_nodes(data, schema, out=out, force=force)
    if as_json:
        print_json(written.to_json())
    else:
        click.echo(f"Wrote {format_count(written.nodes, 'node')} to {out}")
