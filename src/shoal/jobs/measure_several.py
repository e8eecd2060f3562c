"""Several releases measured side by side, and drawn against what they promise."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import WordingError
from shoal.plots import draw_sweep, plot_folder

from .measure import MeasureResult, measure

__all__ = ["SeveralMeasured", "measure_several"]


@dataclass(frozen=True)
class SeveralMeasured:
    """The measures of each release by the name of its folder, and the plots that were made of them."""

    releases: Mapping[str, MeasureResult]
    plots: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints: of one release its measures, of several a list."""
        drawn = {"plots": list(self.plots)} if self.plots else {}
        if len(self.releases) == 1:
            (only,) = self.releases.values()
            return {**only.to_json(), **drawn}
        told = [{"release": name, **_promise(each), **each.to_json()} for name, each in self.releases.items()]
        return {"releases": told, **drawn}


def measure_several(
    folders: Sequence[str | Path],
    ledgers: Sequence[str | Path],
    *,
    everything: bool = False,
    seed: int = 0,
    plot: str | Path | None = None,
    target: str | None = None,
    useful: str | None = None,
) -> SeveralMeasured:
    """Compare releases with the originals in their ledgers, given in the same order; draw into a folder if asked."""
    if len(folders) != len(ledgers):
        raise WordingError(
            f"There are {len(folders)} releases and {len(ledgers)} ledgers.", "Give --ledger once a release, in order."
        )
    if len({str(folder) for folder in folders}) < len(folders):
        raise WordingError("A release is given twice.")
    pairs = zip(folders, ledgers, strict=True)
    asked = {"everything": everything, "seed": seed, "target": target, "useful": useful}
    with nullcontext() if plot is None else plot_folder(plot) as drawn_into:
        releases = {str(each): measure(each, ledger, **asked) for each, ledger in pairs}
        if drawn_into is None:
            return SeveralMeasured(releases)
        return SeveralMeasured(releases, tuple(str(file) for file in draw_sweep(_frame(releases), drawn_into)))


def _promise(result: MeasureResult) -> dict[str, Any]:
    epsilon = None if result.epsilon is None else float(result.epsilon)
    return {"method": result.method, "k": result.k, "epsilon": epsilon}


def _frame(releases: Mapping[str, MeasureResult]) -> pl.DataFrame:
    for name, result in releases.items():
        if result.k is None:
            raise WordingError(f"The release {name} promises no k that its measures could be drawn against.")
    names = dict.fromkeys(name for each in releases.values() for name in each.measures)
    schema = {"method": pl.String, "k": pl.Int64, "epsilon": pl.Float64, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame([{**_promise(each), **each.measures} for each in releases.values()], schema=schema)
