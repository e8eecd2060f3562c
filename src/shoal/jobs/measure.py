"""What is left of use: every measure of a release, computed anew from its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.data import Microdata, Ratings, Records, Role
from shoal.engines import LocalEngine
from shoal.errors import FileError
from shoal.io.ledger_folder import read_ledger
from shoal.io.release_folder import read_release
from shoal.utility import QUICK, Comparison, measured

__all__ = ["MeasureResult", "measure"]


@dataclass(frozen=True)
class MeasureResult:
    """Every measure by name."""

    measures: Mapping[str, int | float]

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {"measures": dict(self.measures)}


def measure(folder: str | Path, ledger: str | Path) -> MeasureResult:
    """Compare a release with the originals in its ledger."""
    published = read_release(folder).records
    truth = read_ledger(ledger)
    if published.kind != truth.original.kind:
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    origins = truth.origins(_pseudonyms(published))
    published = _over_same_items(published, truth.original)
    engine = LocalEngine()
    sizes = engine.count(published, engine.group(published), sensitive=False).sizes
    comparison = Comparison(truth.original, origins, published, sizes)
    return MeasureResult(measured(comparison, QUICK).values)


def _pseudonyms(published: Records) -> pl.Series:
    if isinstance(published, Ratings):
        return published.users.values
    assert isinstance(published, Microdata)
    return published.with_role(Role.IDENTIFIER)[0].values


def _over_same_items(published: Records, original: Records) -> Records:
    """A long file names only items that somebody rated; count over all the items there were."""
    if not (isinstance(published, Ratings) and isinstance(original, Ratings)):
        return published
    return replace(published, observable=published.observable.over(original.observable.items))
