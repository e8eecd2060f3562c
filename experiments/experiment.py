"""An experiment of a paper: what it asks, how it is repeated, what the paper claims, and whether that is so."""

import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import polars as pl

__all__ = [
    "FULL",
    "QUICK",
    "TINY",
    "Claim",
    "Experiment",
    "Found",
    "Panel",
    "Point",
    "Row",
    "Size",
    "Stated",
    "Verdict",
    "grid",
]

Setting = int | float | str
Row = Mapping[str, Any]

PAPERS = {
    "000": "Sun, Wang, Li, Pei: Publishing anonymous survey rating data (2010)",
    "001": "Sun, Wang: Towards Identify Anonymization in Large Survey Rating Data (2010)",
    "002": "Chang, Thompson, Wang, Yao: Predictive Anonymization (2010)",
    "003": "Sun, Wang, Li: Satisfying Privacy Requirements: One Step before Anonymization (2010)",
    "004": "Sun: Privacy Preserving Data Sharing in Data Mining Environment, thesis (2010)",
}


class Verdict(StrEnum):
    """What became of what a paper claims."""

    CONFIRMED = "confirmed"
    LIMITED = "confirmed with limits"
    REFUTED = "not confirmed"
    UNDECIDABLE = "cannot be told from the paper"


@dataclass(frozen=True)
class Size:
    """How much of the data an experiment takes, and how often it draws."""

    name: str
    seeds: int
    """How many times what is random is repeated."""

    def pick(self, full: Any, quick: Any, tiny: Any) -> Any:
        """Return the one of three values that is for this size."""
        return {"full": full, "quick": quick, "tiny": tiny}[self.name]


FULL = Size("full", seeds=5)
"""Every point on all the data."""
QUICK = Size("quick", seeds=2)
"""Every experiment on a sample: all together take minutes."""
TINY = Size("tiny", seeds=1)
"""Every experiment on generated data of the same shape: tests run it anywhere, within seconds."""
SIZES = {size.name: size for size in (FULL, QUICK, TINY)}


@dataclass(frozen=True)
class Point:
    """One setting of the parameters: what is measured, and kept, in one go."""

    size: Size
    settings: Mapping[str, Setting]

    def __getitem__(self, name: str) -> Any:
        return self.settings[name]

    @cached_property
    def key(self) -> str:
        """The settings as text, the same for the same settings."""
        return json.dumps(dict(self.settings), sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True)
class Found:
    """Whether a claim holds for what was measured, and the numbers that say so."""

    holds: bool
    numbers: str


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper that a measurement can contradict."""

    says: str
    """In our words, with where it stands."""
    test: Callable[[pl.DataFrame], Found]
    """Decides it from the tidy table."""


@dataclass(frozen=True)
class Panel:
    """One plot of the tidy table: a line for each value of ``lines``, and a part for each value of ``across``."""

    x: str
    y: str
    lines: str = "method"
    across: str = "data"
    where: Mapping[str, Setting] = field(default_factory=dict)
    """Only rows with these values."""
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    log_y: bool = False
    from_zero: bool = True
    """Whether the y-axis begins at 0; not where all there is to see is high above it, as accuracies are."""
    kind: str = "line"
    """``line``, or ``bar`` where x is a category."""


@dataclass(frozen=True)
class Stated:
    """Values that a paper states, drawn as marks; or, without x, a bound over the whole panel, drawn as a line."""

    label: str
    y: tuple[float, ...]
    x: tuple[Setting, ...] = ()
    panel: int = 0
    across: str = ""
    """The part of the panel in which it is drawn; empty: in all."""
    line: str = ""
    """The line whose color it has; empty: black."""


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper, and how it is repeated here."""

    id: str
    """The paper and the figure, as ``000-15a``."""
    figures: str
    """The figure or table, and the same in other papers: "Figure 15a; thesis, Figure 6.15a"."""
    asks: str
    """The question, a sentence that ends with a question mark."""
    data: tuple[str, ...]
    """The names of the data sets: see :mod:`experiments.data`."""
    points: Callable[[Size], Iterable[Mapping[str, Setting]]]
    """The settings to measure; ``data`` names the data set and ``seed`` what is drawn."""
    measure: Callable[[Point], Iterable[Row]]
    """Measures one point; its settings are added to each row."""
    panels: tuple[Panel, ...]
    claims: tuple[Claim, ...]
    parameters: str
    """What was held fixed, in a sentence or two, and what the paper had where it says so."""
    why: str
    """Why ours differ from theirs, or what to keep in mind where they do not."""
    stated: tuple[Stated, ...] = ()
    undecidable: str = ""
    """Why it cannot be told from the paper whether the claims hold; empty where it can."""

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.split("-")[0]

    def grid(self, size: Size) -> list[Point]:
        """Return every point to be measured."""
        return [Point(size, dict(settings)) for settings in self.points(size)]

    def verdict(self, table: pl.DataFrame) -> Verdict:
        """Return what became of the claims: all hold, some, or none."""
        if self.undecidable:
            return Verdict.UNDECIDABLE
        holds = [claim.test(table).holds for claim in self.claims]
        return Verdict.CONFIRMED if all(holds) else Verdict.LIMITED if any(holds) else Verdict.REFUTED


def grid(**axes: Sequence[Setting] | Setting) -> list[dict[str, Setting]]:
    """Return every combination of the values of the axes, the last changing fastest."""
    values = [axis if isinstance(axis, Sequence) and not isinstance(axis, str) else [axis] for axis in axes.values()]
    return [dict(zip(axes, chosen, strict=True)) for chosen in itertools.product(*values)]
