"""``shoal publish``: make a release that keeps its promises."""

from typing import Any

import click
from click.core import ParameterSource

from shoal.errors import WordingError
from shoal.wording.format import format_count, format_number, format_share

from . import options
from .printing import print_json, print_warnings
from .progress_bars import progress_bars

__all__ = ["publish"]


@click.command()
@options.data(required=False)
@options.models
@click.option(
    "--method",
    metavar="METHOD",
    help="The method that anonymizes. By default predictive on sparse ratings, align on surveys, and on tables "
    "mondrian or top-down, whichever loses less.",
)
@click.option("--out", metavar="DIR", help="The release folder to make.")
@click.option("--ledger", metavar="DIR", help="The owner's folder to make: which published record is whose.")
@click.option("--withhold", metavar="SHARE", help="The share of records that may be withheld, such as 2%.")
@options.accept
@options.warn_below
@options.warn_unique
@click.option("--format", "format_", type=options.format_name, help="The format of the published file.")
@click.option("--expand", is_flag=True, help="Publish a profile that stands for several people once for each of them.")
@click.option("--boost", metavar="SHARE", help="Publish this share of a padded profile's cells, such as 30%.")
@click.option("--time", metavar="TIME", help="How long a method that can go on improving may take, such as 30s or 5m.")
@click.option("--plan", "plan_file", metavar="FILE", help="Take everything from a plan (TOML or JSON).")
@click.option("--force", is_flag=True, help="Replace release and ledger folders that exist.")
@options.schema
@options.duplicates
@options.seed
@options.secret
@options.engine
@options.as_json
def publish(data: str | None, plan_file: str | None, force: bool, as_json: bool, **settings: Any) -> None:  # noqa: FBT001
    """Publish DATA under promises. Exit 0: done; 3: the promises cannot be kept, and nothing was written."""
    from shoal.jobs.publish import publish as job

    plan = _plan(data, plan_file, settings)
    with progress_bars(quiet=as_json):
        result = job(plan, force=force)
    if as_json:
        print_json(result.to_json())
        print_warnings(result.warnings)
        return
    click.echo(
        f"{result.records_out:,} of {format_count(result.records_in, 'record')} published in "
        f"{format_count(result.groups, 'equivalence class', 'equivalence classes')}: {result.release}"
    )
    click.secho(result.kept, bold=True)
    click.echo(f"{format_share(result.original_and_unique)} of published records are {result.unique}")
    click.echo(
        f"{format_count(result.cells_changed, 'cell')} changed, total distortion {format_number(result.distortion)}"
    )
    if result.accepted_against_audit:
        click.echo(f"Published against the audit, accepted by name: {', '.join(result.accepted_against_audit)}")
    for note in result.notes:
        click.echo(note)
    click.echo(f"{result.seconds:.1f} s, {result.peak_mib:,} MiB at the peak")
    click.echo(f"Anybody can verify it without the original: shoal verify {result.release}")
    print_warnings(result.warnings)


def _plan(data: str | None, plan_file: str | None, settings: dict[str, Any]) -> Any:
    from shoal.plan import Plan

    given = {
        "data": data,
        "schema": settings["schema"],
        "models": settings["models"] or None,
        "method": settings["method"],
        "out": settings["out"],
        "ledger": settings["ledger"],
        "withhold": settings["withhold"],
        "accept": settings["accept"] or None,
        "warn_below": settings["warn_below"],
        "warn_unique": settings["warn_unique"],
        "format": settings["format_"],
        "seed": settings["seed"],
        "secret": settings["secret"],
        "expand": settings["expand"] or None,
        "boost": settings["boost"],
        "time": settings["time"],
        "memory": settings["memory"],
        "spark_master": settings["spark_master"],
        "spark_staging": settings["spark_staging"],
    }
    given_here = {key: value for key, value in given.items() if value is not None}
    for name in ("duplicates", "engine"):  # they have defaults
        if click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE:
            given_here[name] = settings[name]
    if plan_file is not None:
        if given_here:
            raise WordingError(f"--plan takes everything from the plan; {next(iter(given_here))!r} is given as well.")
        return Plan.read(plan_file)
    for key, name in (("data", "DATA"), ("models", "--model"), ("out", "--out")):
        if key not in given_here:
            raise WordingError(f"The release needs {name}.", "shoal publish --help shows how.")
    return Plan.of(**given_here)
