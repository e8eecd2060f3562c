"""The owner's report of a release: what was promised, proved, tried and lost, on one page that needs nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import get_args

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from shoal.attacks import Finding, Yardstick
from shoal.release import Certificate
from shoal.utility import MEASURES
from shoal.wording.format import format_name, format_number

from .charts import Interval, rates_chart

__all__ = ["OwnerReport", "Picture", "owner_report"]

TOLERATED = 0.09
"""The largest probability of re-identification that agencies for medicines accept in public data."""


@dataclass(frozen=True)
class Picture:
    """A chart with what it shows."""

    title: str
    note: str
    chart: Markup


@dataclass(frozen=True)
class Asked:
    """What was tried and found about one question that regulators ask."""

    yardstick: Yardstick
    question: str
    findings: tuple[Finding, ...]

    @cached_property
    def worst(self) -> Finding | None:
        """The attack that gains most over guessing."""
        return max(self.findings, key=lambda each: each.main - each.baseline, default=None)

    @property
    def gain(self) -> str:
        """Whether anything was gained over guessing, in a word for the style sheet."""
        if self.worst is None:
            return "untried"
        if self.worst.interval[0] <= self.worst.baseline:
            return "none"
        return "some" if self.worst.main <= TOLERATED or self.yardstick == "inference" else "much"


@dataclass(frozen=True)
class OwnerReport:
    """All that the page tells."""

    release: str
    certificate: Certificate
    contradictions: tuple[str, ...]
    """Where the data do not show what the certificate claims; empty if the release was verified."""
    people: int
    """How many different people are published."""
    records: int
    """How many records the original has."""
    withheld: int
    """How many of them were withheld."""
    findings: tuple[Finding, ...]
    not_run: Mapping[str, str]
    measures: Mapping[str, int | float]
    kind: str
    """Of the records, ``ratings`` or ``table``: it decides units."""
    pictures: tuple[Picture, ...]
    kept: str = ""
    """What was kept and lost, in one line."""
    warnings: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The findings by what regulators ask about."""
        return tuple(
            Asked(one, _QUESTIONS[one], tuple(each for each in self.findings if each.yardstick == one))
            for one in get_args(Yardstick)
        )

    @property
    def who(self) -> str:
        """What was published, in records and people where these are not the same."""
        records = self.certificate.records
        if self.certificate.unit == "records":
            return f"{records:,} records, of which several may be of one person, were"
        return f"{records:,} people" if records == self.people else f"{records:,} records of {self.people:,} people"

    @property
    def reached_k(self) -> int | None:
        """The smallest k that the certificate reaches by a promise without a caveat; None where none speaks of k."""
        levels = [each.level["k"] for each in self.certificate.promises if "k" in each.level and not each.caveat]
        return min((int(level) for level in levels), default=None)

    @property
    def worst_off(self) -> Finding | None:
        """The attack with the largest probability to find one person's record."""
        about_records = [each for each in self.findings if each.yardstick != "inference"]
        return max(about_records, key=lambda each: each.largest, default=None)

    @property
    def rates(self) -> Markup:
        """All attacks in one chart."""
        return rates_chart(
            [Interval(each.attack, each.main, *each.interval, each.baseline, each.control) for each in self.findings]
        )

    @property
    def uses(self) -> list[tuple[str, str, str, str]]:
        """Name, value, unit and meaning of every measure."""
        return [
            (name, format_number(value), MEASURES[name].unit_for(self.kind), MEASURES[name].meaning)
            for name, value in self.measures.items()
            if name in MEASURES
        ]


_QUESTIONS: dict[Yardstick, str] = {
    "singling out": "Can one person's record be isolated?",
    "linkability": "Can a record be linked to what is known of the person elsewhere?",
    "inference": "Can something be learned about a person that was not known?",
}


def owner_report(report: OwnerReport) -> str:
    """Return the page as HTML."""
    house = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    house.filters.update(percent=_percent, number=format_number, words=format_name)
    template = files("shoal.pages").joinpath("owner_report.html").read_text(encoding="utf-8")
    return house.from_string(template).render(report=report, tolerated=TOLERATED)


def _percent(rate: float) -> str:
    """Write a probability so that it differs from 0 and 1 where it does."""
    if 0 < rate < 0.0001:
        return "below 0.01 %"
    if 0.9999 < rate < 1:
        return "above 99.99 %"
    return f"{100 * rate:.3g} %"
