"""What was measured, kept point by point: a tidy table as CSV, and beside it how it came about as JSON."""

import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from experiments.data import DATA_SETS
from experiments.experiment import Experiment, Point, Size

__all__ = ["RESULTS", "Results", "machine"]

RESULTS = Path(__file__).resolve().parent / "results"
_VERSIONS = ("numpy", "scipy", "polars", "numba", "scikit-learn")


@dataclass
class Results:
    """The rows of one experiment at one size, and which points they are of."""

    experiment: Experiment
    size: Size
    folder: Path
    data: dict[str, str] = field(default_factory=dict)
    """The hashes of the data by name."""
    points: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What is known of each finished point, by its key: seconds, and its rows."""

    @classmethod
    def read(cls, experiment: Experiment, size: Size, folder: Path = RESULTS) -> "Results":
        """Read what was kept of this experiment."""
        results = cls(experiment, size, folder / size.name)
        file = results.folder / f"{experiment.id}.json"
        if not file.exists():
            return results
        kept = json.loads(file.read_text(encoding="utf-8"))
        results.data = kept["data"]
        results.points = {point["key"]: point for point in kept["points"]}
        return results

    def begin(self) -> None:
        """Look at the data before measuring: what was measured on others is dropped."""
        data = {name: DATA_SETS[name].fingerprint(self.size) for name in self.experiment.data}
        if data != self.data:
            self.data, self.points = data, {}

    def remaining(self) -> list[Point]:
        """Return the points that have not been measured yet."""
        return [point for point in self.experiment.grid(self.size) if point.key not in self.points]

    def keep(self, point: Point, rows: Iterable[Mapping[str, Any]], seconds: float) -> None:
        """Keep the rows of a point, on disk as well."""
        whole = [{**point.settings, **row} for row in rows]
        self.points[point.key] = {"key": point.key, "seconds": round(seconds, 2), "rows": whole}
        self.folder.mkdir(parents=True, exist_ok=True)
        _replace(
            self.folder / f"{self.experiment.id}.json", json.dumps(self._description(), indent=1, ensure_ascii=False)
        )
        _replace(self.folder / f"{self.experiment.id}.csv", self.table().write_csv())

    def table(self) -> pl.DataFrame:
        """Return the tidy table, in the order of the points; settings that are no longer measured are left out."""
        keys = [point.key for point in self.experiment.grid(self.size)]
        rows = [row for key in keys if key in self.points for row in self.points[key]["rows"]]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def complete(self) -> bool:
        """Whether every point was measured."""
        return bool(self.points) and not self.remaining()

    @property
    def seconds(self) -> float:
        """How long all points took together."""
        return sum(point["seconds"] for point in self.points.values())

    def _description(self) -> dict[str, Any]:
        return {
            "experiment": self.experiment.id,
            "size": self.size.name,
            "data": self.data,
            "machine": machine(),
            "points": list(self.points.values()),
        }


def machine() -> dict[str, Any]:
    """Describe the machine without naming it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    system = {"system": f"{platform.system()} {platform.machine()}", "cores": os.cpu_count(), "ram_gib": memory >> 30}
    return {**system, "python": platform.python_version(), **{name: version(name) for name in _VERSIONS}}


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    beside = path.with_suffix(path.suffix + ".new")
    beside.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    beside.replace(path)
