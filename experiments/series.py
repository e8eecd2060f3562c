"""A measured column along a setting, averaged over seeds: what claims are decided from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from experiments.experiment import Setting

__all__ = ["Series", "written"]

_LETTERS = {"epsilon": "ε", "alpha": "α", "share": "the share of the data"}
_SHARES = ("share", "share of the data (%)")
_COUNTS = ("attributes", "factors")
_LARGE = 1_000


def written(value: float, show: str = ".3g") -> str:
    """Return a value in a format; large ones not as powers of ten: "89,100,000"."""
    shown = format(value, show)
    return f"{float(shown):,.0f}" if show.endswith("g") and abs(value) >= _LARGE else shown


@dataclass(frozen=True)
class Series:
    """A measured column along a setting: ``Series("average query error", "epsilon", {"method": "graph"})``."""

    y: str
    along: str
    where: Mapping[str, Setting | tuple[Setting, ...]] = field(default_factory=dict)
    """Only rows with these values; of several, one of them."""
    across: str = "data"
    """Each value of this column is looked at by itself."""
    show: str = ".3g"
    """How a value is written; ``.1%`` for shares."""
    unit: str = ""

    def parts(self, table: pl.DataFrame) -> Iterable[tuple[str, list[tuple[Any, float]]]]:
        """Yield the name of each part, and its means at the values of ``along`` in ascending order."""
        for name, value in self.where.items():
            table = table.filter(pl.col(name).is_in(value if isinstance(value, tuple) else (value,)))
        table = table.drop_nulls([self.along, self.y])
        names = table[self.across].unique(maintain_order=True).to_list() if self.across in table.columns else [None]
        for name in names:
            part = table if name is None else table.filter(pl.col(self.across) == name)
            means = part.group_by(self.along).agg(pl.col(self.y).mean()).sort(self.along)
            yield "" if name is None else str(name), list(zip(means[self.along], means[self.y], strict=True))

    def written(self, value: float) -> str:
        """Return a value as it is shown on the page."""
        return f"{written(value, self.show)} {self.unit}".strip()

    @property
    def letter(self) -> str:
        """What is varied, as the page names it."""
        return _LETTERS.get(self.along, self.along)

    def setting(self, x: Setting) -> str:
        """Return a setting as the page names it: "ε = 2", "20 % of the data"."""
        if self.along in _SHARES:
            return f"{x} % of the data"
        if self.along in _COUNTS:
            return f"{x} {self.along}"
        return f"{self.letter} = {x}" if len(self.letter) == 1 else f"{self.letter} {x}"

    def at(self, point: tuple[Any, float]) -> str:
        """Return a mean with its setting: "0.4 at ε = 2"."""
        return f"{self.written(point[1])} at {self.setting(point[0])}"
