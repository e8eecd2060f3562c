"""The owner's report of a release: promises, attacks and utility on one self-contained page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import get_args

from jinja2 import Environment, StrictUndefined

from shoal.attacks import Finding, Yardstick
from shoal.display import Picture
from shoal.release import Certificate
from shoal.utility import measure_behind
from shoal.wording.format import format_count, format_name, format_number

from .attack_rates import attack_rates_picture

__all__ = ["OwnerReport", "owner_report"]

TOLERATED = 0.09
"""The highest probability of re-identification that medicines agencies accept in public data."""


@dataclass(frozen=True)
class Asked:
    """The findings on one question that regulators ask."""

    yardstick: Yardstick
    question: str
    findings: tuple[Finding, ...]

    @cached_property
    def worst(self) -> Finding | None:
        """The attack with the largest gain over guessing."""
        return max(self.findings, key=lambda each: each.main - each.baseline, default=None)

    @property
    def gain(self) -> str:
        """The gain over guessing, in a word for the style sheet."""
        if self.worst is None:
            return "untried"
        if self.worst.interval[0] <= self.worst.baseline:
            return "none"
        return "some" if self.worst.main <= TOLERATED or self.yardstick == "inference" else "much"


@dataclass(frozen=True)
class OwnerReport:
    """Everything on the page."""

    release: str
    certificate: Certificate
    contradictions: tuple[str, ...]
    """Where the data contradict the certificate; empty if the release was verified."""
    people: int
    """The number of different people published."""
    records: int
    """The number of original records."""
    withheld: int
    """The number of them that were withheld."""
    findings: tuple[Finding, ...]
    not_run: Mapping[str, str]
    measures: Mapping[str, int | float]
    kind: str
    """Of the records, ``ratings`` or ``table``: it decides units."""
    pictures: tuple[Picture, ...]
    kept: str = ""
    """The utility in one line."""
    warnings: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The findings by the question of regulators that they answer."""
        return tuple(
            Asked(one, _QUESTIONS[one], tuple(each for each in self.findings if each.yardstick == one))
            for one in get_args(Yardstick)
        )

    @property
    def who(self) -> str:
        """What was published, in records and people where these differ."""
        records = self.certificate.records
        if self.certificate.unit == "records":
            return f"{format_count(records, 'record')}, of which one person may have several"
        people = format_count(self.people, "person", "people")
        return people if records == self.people else f"{format_count(records, 'record')} of {people}"

    @property
    def groups(self) -> str:
        """The number of equivalence classes, in words."""
        return format_count(self.certificate.groups, "equivalence class", "equivalence classes")

    @property
    def candidates(self) -> str:
        """The fewest candidates for a person by the promise, in words."""
        return format_count(self.reached_k or 1, "candidate")

    @property
    def reached_k(self) -> int | None:
        """The smallest k that the certificate reaches by a promise without a caveat; None where none has a k."""
        levels = [each.level["k"] for each in self.certificate.promises if "k" in each.level and not each.caveat]
        return min((int(level) for level in levels), default=None)

    @property
    def worst_off(self) -> Finding | None:
        """The attack with the highest probability of re-identifying one person's record."""
        about_records = [each for each in self.findings if each.yardstick != "inference"]
        return max(about_records, key=lambda each: each.largest, default=None)

    @property
    def rates(self) -> Picture:
        """All attacks in one chart."""
        return attack_rates_picture(self.findings)

    @property
    def uses(self) -> list[tuple[str, str, str, str]]:
        """Name, value, unit and meaning of every measure."""
        return [
            (name, format_number(value), measure.unit_for(kind or self.kind), measure.meaning)
            for name, value in self.measures.items()
            for measure, kind in [measure_behind(name)]
            if measure is not None
        ]


_QUESTIONS: dict[Yardstick, str] = {
    "singling out": "Can a person's record be isolated?",
    "linkability": "Can a record be linked to other data about the person?",
    "inference": "Can an unknown attribute of a person be inferred?",
}


def owner_report(report: OwnerReport) -> str:
    """Return the page as HTML."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(percent=_percent, number=format_number, count=format_count, words=format_name)
    template = files("shoal.pages").joinpath("owner_report.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(report=report, tolerated=TOLERATED)


def _percent(rate: float) -> str:
    """Write a probability so that only 0 and 1 look like 0 and 1."""
    if 0 < rate < 0.0001:
        return "below 0.01 %"
    if 0.9999 < rate < 1:
        return "above 99.99 %"
    return f"{100 * rate:.3g} %"
