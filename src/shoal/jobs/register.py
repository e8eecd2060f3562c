"""Register data at a release desk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.desk import Policy
from shoal.io import Source
from shoal.io.schema import Schema, TableSchema

from .read import read

if TYPE_CHECKING:
    from shoal.desk.as_written import AsWritten
    from shoal.desk.population import Overlap, Version

__all__ = ["RegisterResult", "register"]


@dataclass(frozen=True)
class RegisterResult:
    """What the desk keeps of the data, and what it noticed."""

    dataset: str
    version: int
    views: int | None
    """How many views lie on the chain that begins at the finest one that keeps the promises; None: as before."""
    overlaps: Mapping[str, int]
    """How many people are also in other data sets: what is given of these is judged together."""
    warnings: tuple[str, ...] = ()
    """Why it cannot be judged together, in sentences."""

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        told: dict[str, Any] = {"dataset": self.dataset, "version": self.version}
        told |= {} if self.views is None else {"views": self.views}
        told |= {"overlaps": dict(self.overlaps)} if self.overlaps else {}
        return told | ({"warnings": list(self.warnings)} if self.warnings else {})


def register(
    desk: str | Path,
    name: str,
    data: str | Path | Source,
    schema: Schema | str | Path | None = None,
    *,
    policy: Policy | None = None,
) -> RegisterResult:
    """Register a data set with its owner's policy or, without one, a new version of a data set that is known.

    The desk keeps the fingerprint of the data, names and roles of columns, keyed hashes of identifiers and records, and
    nothing that holds a value.
    """
    from shoal.desk import Desk
    from shoal.desk.names import known_name

    book, source = Desk(desk), read(data, schema)
    written = _written(source)
    views = None
    if policy is None:
        version = book.add_version(name, source.records, written)
    else:
        version, views = 1, len(book.add_dataset(name, source.records, policy, written).nodes)
    overlaps = _people_in_others(book.overlaps(name), (known_name(name), version))
    return RegisterResult(name, version, views, overlaps, tuple(book.warnings(name)))


def _people_in_others(overlaps: "Sequence[Overlap]", version: "Version") -> dict[str, int]:
    """Return how many people of a version are also in each other data set: in that version that has most of them."""
    found: dict[str, int] = {}
    for each in overlaps:
        if version in (each.version, each.other):
            other = each.other[0] if each.version == version else each.version[0]
            found[other] = max(found.get(other, 0), each.people)
    return found


def _written(source: Source) -> "AsWritten | None":
    from shoal.desk.as_written import AsWritten

    if source.file is None or not isinstance(source.schema, TableSchema):
        return None
    return AsWritten(source.file.frame(*source.file.names), source.schema.person)
