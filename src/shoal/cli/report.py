"""``shoal report``: the owner's page."""

import click

from . import options
from .printing import print_findings, print_json
from .progress_bars import progress_bars

__all__ = ["report"]


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--ledger", required=True, metavar="DIR", help="The ledger that was made with the release.")
@click.option("--out", required=True, metavar="FILE", help="The page to write, such as report.html.")
@click.option(
    "--attack",
    "-a",
    "wordings",
    multiple=True,
    metavar="ATTACK",
    help="Which to run; all that apply by default.",
)
@click.option(
    "--outside", metavar="FILE", help="A table of people who are not in the data: the control of linkability."
)
@click.option("--all", "everything", is_flag=True, help="Also the measures that take longer.")
@click.option("--force", is_flag=True, help="Replace an earlier report.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of what attackers know.")
@options.as_json
def report(
    folder: str,
    ledger: str,
    out: str,
    wordings: tuple[str, ...],
    outside: str | None,
    everything: bool,  # noqa: FBT001
    force: bool,  # noqa: FBT001
    seed: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Verify, attack and measure the release in DIR, and write one page for its owner. Not for publication."""
    from shoal.jobs.report import report as job

    with progress_bars(quiet=as_json):
        attacks = {"wordings": wordings, "outside": outside, "seed": seed}
        result = job(folder, ledger, out, **attacks, everything=everything, force=force)
    if as_json:
        print_json(result.to_json())
        return
    print_findings(result.attacks)
    click.echo(f"\nThe report for the owner is in {result.report}. It is not for publication.")
