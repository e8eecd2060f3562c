"""Where the time of `publish` goes, from file to proof: seconds of each stage, and of what is under no stage.

A table of 1.19 million rows as CSV, with eight quasi-identifiers, a sensitive column, a name and two columns that are
dropped, by Mondrian and by the lattice. Seconds of the processor are told beside those of the clock: other work on the
machine lengthens the latter. Kernels are compiled before, on a small table.
"""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from measuring import peak
from shoal.datasets import write_generated
from shoal.progress import listening

ROWS, SMALL = 1_190_000, 20_000
RUNS: tuple[dict[str, Any], ...] = (
    {"models": ["k-anonymity:k=5"], "method": "mondrian"},
    {"models": ["k-anonymity:k=5", "l-diversity:l=2,kind=distinct"], "method": "lattice", "withhold": "2%"},
)


def main(folder: Path) -> dict[str, Any]:
    """Publish the table by each method, and return seconds by stage."""
    small, whole = (_written(folder, rows) for rows in (SMALL, ROWS))
    measured: dict[str, Any] = {}
    for settings in RUNS:
        name = settings["method"]
        _published(small, folder / f"small {name}", settings)
        stages = _published(whole, folder / name, settings)
        for seconds in ("clock", "processor"):
            measured[f"{name}_{seconds}"] = round(sum(each[seconds] for each in stages.values()), 2)
        measured[f"{name}_stages"] = stages
    return {**measured, "peak_mib_of_all": peak()}


def _written(folder: Path, rows: int) -> Path:
    """Write a table with a name and two columns to drop, and its schema beside it."""
    file = folder / f"people{rows}.csv"
    write_generated("table", file, force=True, rows=rows, seed=1)
    frame = pl.read_csv(file, infer_schema=False).with_row_index("number")
    dropped = [
        (pl.col("number") * 2_654_435_761 % 4_294_967_296).cast(pl.String).alias("token"),
        pl.format("entered by desk {} in line {}", pl.col("number") % 97, "number").alias("remark"),
    ]
    frame.with_columns(dropped).drop("number").write_csv(file)
    schema = file.with_suffix(".schema.toml")
    drops = "".join(f'\n[columns.{name}]\nrole = "drop"\n' for name in ("token", "remark"))
    schema.write_text(schema.read_text(encoding="utf-8") + drops, encoding="utf-8")
    return file


def _published(file: Path, out: Path, settings: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Publish a file, and return the seconds of each stage without those inside it, the longest first."""
    heard = _Stopwatch()
    with listening(heard):
        whole = heard.begin("under no stage", None)
        shoal.publish(file, out=out, ledger=f"{out} ledger", seed=1, force=True, **settings)
        heard.end(whole)
    by_length = sorted(heard.found.items(), key=lambda item: -item[1][1])
    return {
        name: {"clock": round(clock, 3), "processor": round(processor, 3)}
        for name, (clock, processor) in by_length
        if processor >= 0.0005
    }


@dataclass
class _Stopwatch:
    """Adds up the seconds of stages, those of stages inside them left out."""

    found: dict[str, list[float]] = field(default_factory=dict)
    _open: list[tuple[str, list[float], list[float]]] = field(default_factory=list)

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        named = "measuring" if name.startswith("measuring") else name.split(" people")[0]
        self._open.append((named, _now(), [0.0, 0.0]))
        return len(self._open)

    def advance(self, token: object, amount: int) -> None:
        """Stages are timed as wholes."""

    def end(self, token: object) -> None:
        assert token == len(self._open), "stages end in the order of their nesting"
        name, began, inside = self._open.pop()
        took = [after - before for after, before in zip(_now(), began, strict=True)]
        own = self.found.setdefault(name, [0.0, 0.0])
        for i in range(2):
            own[i] += took[i] - inside[i]
            if self._open:
                self._open[-1][2][i] += took[i]


def _now() -> list[float]:
    times = os.times()
    return [time.perf_counter(), times.user + times.system]
