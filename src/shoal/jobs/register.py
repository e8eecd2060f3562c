"""Register data at a release desk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.desk import Policy
from shoal.io import Source
from shoal.io.schema import Schema

from .read import read

__all__ = ["RegisterResult", "register"]


@dataclass(frozen=True)
class RegisterResult:
    """What the desk keeps of the data."""

    dataset: str
    version: int
    views: int | None
    """How many views lie on the chain that begins at the finest one that keeps the promises; None: as before."""

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        told = {"dataset": self.dataset, "version": self.version}
        return told if self.views is None else {**told, "views": self.views}


def register(
    desk: str | Path,
    name: str,
    data: str | Path | Source,
    schema: Schema | str | Path | None = None,
    *,
    policy: Policy | None = None,
) -> RegisterResult:
    """Register a data set with its owner's policy or, without one, a new version of a data set that is known.

    The desk keeps the fingerprint of the data, names and roles of columns, and nothing that holds a value.
    """
    from shoal.desk import Desk

    book, records = Desk(desk), read(data, schema).records
    if policy is None:
        return RegisterResult(name, book.add_version(name, records), None)
    return RegisterResult(name, 1, len(book.add_dataset(name, records, policy).nodes))
