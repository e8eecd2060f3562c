"""A data set with a name: where its files lie, and how it is read whole or generated small."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from experiments.experiment import Size
from shoal.data import Records

__all__ = ["FOLDER", "DataSet", "load", "missing"]

FOLDER = Path(os.environ.get("SHOAL_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
"""Where the real data sets lie, if they are there."""


@dataclass(frozen=True)
class DataSet:
    """A data set of the papers."""

    name: str
    about: str
    """What it is, how many records it has, and how it differs from that of the papers."""
    files: tuple[str, ...]
    """Those that must be there, below :data:`FOLDER`; empty where it is generated."""
    read: Callable[[], Records]
    generate: Callable[[int], Records]
    """Makes that number of records of the same shape, for tests."""

    @property
    def there(self) -> bool:
        """Whether all its files are there."""
        return all((FOLDER / file).exists() for file in self.files)

    def fingerprint(self, size: Size) -> str:
        """Return the start of a hash of the files; for generated data, say so."""
        if not self.files or size.name == "tiny":
            return "generated"
        digest = hashlib.sha256()
        for file in self.files:
            digest.update((FOLDER / file).read_bytes())
        return digest.hexdigest()[:16]


@lru_cache(maxsize=2)
def _whole(data: DataSet) -> Records:
    return data.read()


def load(data: DataSet, size: Size, records: int | None = None, seed: int = 0) -> Records:
    """Return the records, or ``records`` of them at random in the order they have; generated ones where it is tiny."""
    if size.name == "tiny":
        return data.generate(min(records or 120, 120))
    whole = _whole(data)
    if records is None or records >= len(whole):
        return whole
    chosen = np.random.default_rng(seed).choice(len(whole), records, replace=False)
    return whole.take(np.sort(chosen))


def missing(names: tuple[str, ...], size: Size) -> list[str]:
    """Return which of the data sets cannot be read here."""
    from experiments.data import DATA_SETS

    return [] if size.name == "tiny" else [name for name in names if not DATA_SETS[name].there]
