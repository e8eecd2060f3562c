"""``shoal demo``: the whole story on embedded data."""

import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.errors import ShoalError

from . import options
from .printing import print_json, print_measures, print_verdicts

if TYPE_CHECKING:
    from shoal.jobs.attack import AttackResult

__all__ = ["demo"]

_ATTACKS = ("risk:model=prosecutor", "homogeneity")


@click.command()
@click.option("--report", metavar="FILE", help="Keep the owner's report, the page with which the story ends.")
@options.as_json
def demo(report: str | None, as_json: bool) -> None:  # noqa: FBT001
    """Run the whole story on embedded data: check, publish, verify, attack, report. Leaves nothing else behind."""
    said = io.StringIO() if as_json else sys.stdout
    with tempfile.TemporaryDirectory(prefix="shoal-demo-") as folder, redirect_stdout(said):
        here = Path(folder)
        story = {"ratings": _ratings(here), "survey": _a_survey(here), "sets": _purchases(here)}
        story["table"] = _a_table(here, report)
    if as_json:
        print_json(story)


def _ratings(folder: Path) -> dict[str, Any]:
    _title("A survey: 400 people answered 20 questions. Nobody's answers may stand alone.  shoal publish")
    from shoal.datasets import write_generated  # after the title: loading takes longest on a fresh machine

    answers, films = folder / "answers.csv", folder / "films.csv"
    schema = write_generated("survey", answers, respondents=400, issues=20, sensitive=0, seed=1)
    write_generated("ratings", films, users=300, items=200, ratings=6000, seed=1)
    alike = _attacked(answers, schema, "k-anonymity:k=5", "nearest")
    _title("Films: 300 people rated some of 200, each some of their own.  shoal publish")
    profiles = _attacked(films, None, "k-anonymity:k=5", "scoreboard")
    _title(
        "A weaker promise for the survey: 4 others within 1 on every question. The nearest record still betrays people."
    )
    near = _attacked(answers, schema, "k-epsilon:k=5,epsilon=1", "nearest")
    return {"survey": alike, "films": profiles, "within_epsilon": near}


def _attacked(data: Path, schema: Path | None, promise: str, attack: str) -> dict[str, Any]:
    """Publish without a method named, and let an attacker try the original and the release."""
    import shoal

    release = data.parent / f"{data.stem}-{promise.partition(':')[0]}"
    ledger = release.with_name(f"{release.name}-ledger")
    plan = {"models": [promise], "out": str(release), "ledger": str(ledger), "seed": 1}
    result = shoal.publish(data, schema=None if schema is None else str(schema), **plan)
    click.echo(f"{result.records_out:,} of {result.records_in:,} people published under {promise}")
    for note in result.notes:
        click.echo(note)
    attacked = shoal.attack(release, ledger, [attack])
    _print_rates("raw data", shoal.attack(data, wordings=[attack], schema=schema))
    _print_rates("release", attacked)
    return {"publish": result.to_json(), "attack": attacked.to_json()}


def _a_table(folder: Path, report: str | None) -> dict[str, Any]:
    import shoal
    from shoal.datasets import write_generated

    _title("A table of 3,000 people: age, sex, education and so on, and a sensitive class of salary")
    data = folder / "people.csv"
    schema = write_generated("table", data, rows=3000, seed=1)
    described = shoal.describe(data, schema)
    unique, records = described.facts["unique_records"], described.facts["records"]
    click.echo(f"{unique:,} of {records:,} people are the only ones with their quasi-identifiers.")
    promises = ["k-anonymity:k=5", "l-diversity:l=2,kind=distinct"]
    _title("Does it keep the promises as it stands?  shoal check")
    checked = shoal.check(data, promises, schema)
    print_verdicts(checked)
    _title("Publish it so that it does.  shoal publish --method mondrian")
    release, ledger = folder / "release", folder / "ledger"
    result = shoal.publish(
        data, schema=str(schema), models=promises, method="mondrian", out=str(release), ledger=str(ledger)
    )
    click.echo(f"{result.records_out:,} records published in {result.groups:,} equivalence classes")
    _title("Anybody can check the release alone.  shoal verify")
    verified = shoal.verify(release)
    print_verdicts(verified)
    _title("What utility is left, for the owner only.  shoal measure")
    measured = shoal.measure(release, ledger)
    print_measures({"release": measured})
    _title("Attackers try the raw data, and the release.  shoal attack")
    _print_rates("raw data", shoal.attack(data, wordings=_ATTACKS, schema=schema))
    attacked = shoal.attack(release, ledger, _ATTACKS)
    _print_rates("release", attacked)
    _title("Change one byte of a copy of the release, and it is refused.")
    copy = Path(shutil.copytree(release, folder / "copy"))
    _tamper(copy / "data.csv")
    refused = _refused(lambda: shoal.verify(copy))
    _title("All of it on one page for the owner.  shoal report")
    page = shoal.report(release, ledger, report or folder / "report.html", force=report is not None)
    click.echo(
        f"{len(page.attacks.findings)} attacks were run for it, and {len(page.measures.measures)} measures taken. "
        + (f"Open {report} in a browser; it is for the owner only." if report else "Keep it with --report FILE.")
    )
    results = {"check": checked, "publish": result, "verify": verified, "measure": measured, "attack": attacked}
    return {**{name: each.to_json() for name, each in results.items()}, "refused": refused}


def _a_survey(folder: Path) -> dict[str, Any]:
    import shoal
    from shoal.datasets import load
    from shoal.io import RatingsSchema, Source

    _title("Six answers from the paper on survey ratings (Table 2), near each other as (k,ε)-anonymity asks")
    source = Source(load("survey-ratings-2"), RatingsSchema(layout="wide", id=("respondent",)), (), ())
    checked = shoal.check(source, ["k-epsilon:k=2,epsilon=1", "k-epsilon:k=3,epsilon=1"])
    print_verdicts(checked)
    _title("It keeps k = 2 as it stands, so it may leave unchanged, and k = 3 not.  shoal publish --method none")
    result = shoal.publish(source, models=["k-epsilon:k=2,epsilon=1"], method="none", out=str(folder / "survey"))
    click.echo((folder / "survey" / "data.csv").read_text(encoding="utf-8"))
    refused = _refused(
        lambda: shoal.publish(source, models=["k-epsilon:k=3,epsilon=1"], method="none", out=str(folder / "no"))
    )
    return {"check": checked.to_json(), "publish": result.to_json(), "refused": refused}


def _purchases(folder: Path) -> dict[str, Any]:
    import shoal
    from shoal.datasets import example_purchases
    from shoal.io import RatingsSchema, Source

    _title("Four purchases: any two items that somebody bought are to be bought by two people.  shoal check")
    source = Source(example_purchases(), RatingsSchema(kind="sets", layout="long"), (), ())
    checked = shoal.check(source, "km-anonymity:k=2,m=2")
    print_verdicts(checked)
    _title("Publish beer and wine as drinks, for everybody.  shoal publish --method item-generalization")
    plan = {"models": ["km-anonymity:k=2,m=2"], "method": "item-generalization", "out": str(folder / "purchases")}
    result = shoal.publish(source, **plan)
    click.echo((folder / "purchases" / "data.csv").read_text(encoding="utf-8"))
    return {"check": checked.to_json(), "publish": result.to_json()}


def _print_rates(what: str, result: "AttackResult") -> None:
    for each in result.findings:
        name = each.attack.partition(":")[0]
        click.echo(f"{what:<10}  {name:<17} right about {each.main:7.2%} of people; guessing {each.baseline:.2%}")


def _title(text: str) -> None:
    click.secho(f"\n{text}", bold=True)


def _tamper(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-2] ^= 1
    file.write_bytes(content)


def _refused(action: Callable[[], object]) -> str:
    try:
        action()
    except ShoalError as error:
        click.echo(f"{click.style('refused', fg='red')}         {error}")
        return str(error)
    raise AssertionError("the demo shows a refusal")
