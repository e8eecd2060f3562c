"""``shoal attack``: simulate attackers."""

import click

from . import options
from .printing import print_findings, print_json
from .progress_bars import progress_bars

__all__ = ["attack"]


@click.command()
@options.data(metavar="DIR_OR_DATA")
@click.option(
    "--ledger", metavar="DIR", help="The ledger that was made with the release: the truth that attackers are scored by."
)
@click.option(
    "--attack",
    "-a",
    "wordings",
    multiple=True,
    metavar="ATTACK",
    help="Such as scoreboard:items=8; repeatable. By default all that apply.",
)
@options.schema
@click.option("--also", multiple=True, metavar="DIR", help="Another release about the same people; repeatable.")
@click.option(
    "--also-ledger", "also_ledgers", multiple=True, metavar="DIR", help="Its ledger; one for each --also, in order."
)
@click.option(
    "--population", metavar="FILE", help="A table of the population that the people of the data were drawn from."
)
@click.option(
    "--outside", metavar="FILE", help="A table of people who are not in the data: the control of linkability."
)
@click.option("--dates", metavar="COLUMN", help="The column with the dates of raw ratings, which attackers may know.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of what attackers know.")
@options.as_json
def attack(
    data: str,
    ledger: str | None,
    wordings: tuple[str, ...],
    schema: str | None,
    also: tuple[str, ...],
    also_ledgers: tuple[str, ...],
    population: str | None,
    outside: str | None,
    dates: str | None,
    seed: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Simulate attackers on raw data, or on a release with its ledger as the truth, and report their success rates."""
    from shoal.errors import WordingError
    from shoal.jobs.attack import attack as job
    from shoal.wording.format import format_count

    if len(also) != len(also_ledgers):
        releases, ledgers = format_count(len(also), "other release"), format_count(len(also_ledgers), "ledger")
        raise WordingError(
            f"{releases} (--also) and {ledgers} (--also-ledger): each release takes its ledger.",
            "Give --also-ledger once for each --also, in the same order.",
        )
    with progress_bars(quiet=as_json):
        others = tuple(zip(also, also_ledgers, strict=True))
        people = {"also": others, "population": population, "outside": outside}
        result = job(data, ledger, wordings, schema=schema, **people, dates=dates, seed=seed)
    if as_json:
        print_json(result.to_json())
    else:
        print_findings(result)
