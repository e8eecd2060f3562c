"""What people read on the terminal: sentences and plain tables."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from shoal.display.as_text import aligned
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
        reached = verdict.reached
        if verdict.holds:
            click.echo(f"{click.style('holds', fg='green')}           {verdict.promise}  (reached: {reached})")
        else:
            share = f"{verdict.violations:,}{result.among} {'breaks' if verdict.violations == 1 else 'break'} it"
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


def print_measures(releases: Mapping[str, "MeasureResult"]) -> None:
    """Print a line a measure and a column a release, then why some could not be computed."""
    from shoal.jobs.measure import measures_table, not_measured

    table = measures_table({"value": one} if (one := _only(releases)) else releases)
    print_table(table.head, table.rows, left=[len(table.head) - 1])
    for sentence in not_measured(releases):
        click.echo(sentence)


def _only(releases: Mapping[str, "MeasureResult"]) -> "MeasureResult | None":
    return next(iter(releases.values())) if len(releases) == 1 else None


def print_findings(result: "AttackResult") -> None:
    """Print a line an attack, then what each of them knows, its other figures, and which were not run."""
    if result.findings:
        print_table(result.table.head, result.table.rows)
    for each in result.findings:
        figures = ", ".join(f"{format_name(name)}: {format_number(value)}" for name, value in each.details.items())
        click.echo(
            f"\n{each.attack} ({each.yardstick}, {format_count(each.targets, 'target')}; control: {each.control_of})"
        )
        click.echo(f"  {each.meaning}")
        click.echo(f"  {figures}." if figures else "", nl=bool(figures))
    for wording, why in result.reasons.items():
        click.echo(f"\nnot run: {wording}. {why}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> None:
    """Print a table; the first column and those of ``left`` are text, the others stand to the right."""
    for line in aligned(head, rows, left):
        click.echo(line)
