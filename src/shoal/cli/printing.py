"""What people read on the terminal: sentences and plain tables."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from shoal.wording.format import format_count, format_name, format_number

if TYPE_CHECKING:
    from shoal.jobs.attack import AttackResult
    from shoal.jobs.check import CheckResult
    from shoal.jobs.measure import MeasureResult
    from shoal.models import Verdict

__all__ = ["print_findings", "print_json", "print_measures", "print_table", "print_verdicts", "print_warnings"]


def print_json(result: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(result, ensure_ascii=False))


def print_warnings(warnings: Sequence[str]) -> None:
    """Print each warning on standard error."""
    for warning in warnings:
        click.echo(f"{click.style('Warning:', fg='yellow', bold=True)} {warning}", err=True)


def print_verdicts(result: "CheckResult") -> None:
    """Print each promise, whether it holds, and how far it is reached."""
    for verdict in result.verdicts:
        reached = ", ".join(f"{key} = {format_number(value)}" for key, value in verdict.level.items())
        if verdict.holds:
            click.echo(f"{click.style('holds', fg='green')}           {verdict.promise}  (reached: {reached})")
        else:
            share = f"{verdict.violations:,}{_among(result)} {'breaks' if verdict.violations == 1 else 'break'} it"
            click.echo(f"{click.style('does not hold', fg='red')}   {verdict.promise}  ({share}; reached: {reached})")
        for sentence in verdict.why:
            click.echo(f"{'':<15} {sentence}")
        if verdict.caveat is not None:
            click.echo(f"{click.style(_caveat_head(verdict), fg='yellow')} {verdict.caveat.sentence}")
    for note in result.notes:
        click.echo(f"{click.style('note', fg='yellow')}            {note}")
    for reason in result.reasons:
        click.echo(f"{click.style('contradiction', fg='red')}   {reason}")
    if result.accepted_against_audit:
        click.echo(f"Published against the audit, accepted by name: {', '.join(result.accepted_against_audit)}")
    for sentence in result.explanation.sentences if result.explanation is not None else ():
        click.echo(sentence)


def _caveat_head(verdict: "Verdict") -> str:
    assert verdict.caveat is not None
    return f"{'vacuous' if verdict.caveat.vacuous else 'but':<15}"


def _among(result: "CheckResult") -> str:
    """Return among how many the violations are, in words."""
    if result.people is None:
        return " people"
    return f" of {result.people:,} people" if result.people != result.records else f" of {result.records:,} records"


def print_measures(releases: Mapping[str, "MeasureResult"]) -> None:
    """Print a line a measure and a column a release, then why some could not be computed."""
    from shoal.jobs.measure import kind_of
    from shoal.utility import MEASURES

    names = [name for name in MEASURES if any(name in each.measures for each in releases.values())]
    units = {name: MEASURES[name].unit_for(kind_of(releases)) for name in names}
    width = max(map(len, units.values()))
    rows = []
    for name in names:
        values = [format_number(each.measures[name]) if name in each.measures else "–" for each in releases.values()]
        rows.append([name, *values, units[name].ljust(width)])
    heads = ["value"] if len(releases) == 1 else [*releases]
    print_table(["measure", *heads, "unit".ljust(width)], rows)
    missing: dict[str, dict[str, None]] = {}
    for name, why in (pair for each in releases.values() for pair in each.reasons.items()):
        missing.setdefault(why, {})[name] = None
    for why, without in missing.items():
        click.echo(f"not measured: {', '.join(without)}. {why}")


def print_findings(result: "AttackResult") -> None:
    """Print a line an attack, then what each of them knows, its other figures, and which were not run."""
    rows = [
        [
            each.attack,
            *(f"{rate:.2%}" for rate in (each.main, *each.interval, each.baseline, each.control)),
            *(f"{rate:.2%}" for rate in (each.risk, *each.risk_interval)),
        ]
        for each in result.findings
    ]
    if rows:
        print_table(["attack", "success", "from", "to", "guessing", "control", "risk", "from", "to"], rows)
    for each in result.findings:
        figures = ", ".join(f"{format_name(name)}: {format_number(value)}" for name, value in each.details.items())
        click.echo(
            f"\n{each.attack} ({each.yardstick}, {format_count(each.targets, 'target')}; control: {each.control_of})"
        )
        click.echo(f"  {each.meaning}")
        click.echo(f"  {figures}." if figures else "", nl=bool(figures))
    for wording, why in result.reasons.items():
        click.echo(f"\nnot run: {wording}. {why}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with columns as wide as they need to be; the first is text, the others stand to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, ["─" * width for width in widths], *rows]:
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        click.echo("  ".join([row[0].ljust(widths[0]), *rest]).rstrip())
