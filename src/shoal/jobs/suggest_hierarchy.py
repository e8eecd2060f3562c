"""Suggest a hierarchy for a column, as a file for the owner to edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shoal.data import Column, Hierarchy
from shoal.data.likely_kind import HierarchyKind, likely_kind
from shoal.errors import ShoalError, WordingError
from shoal.io import Source, read_hierarchy, write_hierarchy
from shoal.io.schema import Schema
from shoal.io.staging import staged_file

from .table_column import table_column

__all__ = ["LevelSize", "SuggestedHierarchy", "suggest_hierarchy"]


@dataclass(frozen=True)
class LevelSize:
    """How coarse a level is."""

    labels: int
    fewest: int
    """How many records the rarest label has."""
    most: int
    """How many records the most frequent label has."""


@dataclass(frozen=True)
class SuggestedHierarchy:
    """A hierarchy, how it came about, and how coarse its levels are; values are in the file alone."""

    hierarchy: Hierarchy
    kind: HierarchyKind
    levels: tuple[LevelSize, ...]
    """From the values themselves to the root."""
    out: str | None

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        levels = [
            {"level": number, "labels": level.labels, "fewest_records": level.fewest, "most_records": level.most}
            for number, level in enumerate(self.levels)
        ]
        return {"kind": self.kind, "levels": levels, "out": self.out}


def suggest_hierarchy(
    data: str | Path | Source,
    schema: Schema | str | Path | None = None,
    *,
    column: str,
    kind: HierarchyKind | None = None,
    widths: Sequence[float] | None = None,
    parts: Sequence[int] | None = None,
    shares: Sequence[float] | None = None,
    out: str | Path | None = None,
    force: bool = False,
) -> SuggestedHierarchy:
    """Suggest a hierarchy for a column of a table: of the kind that is likely, or of the one that is named.

    ``widths`` of intervals, ``parts`` of quantiles and ``shares`` of frequencies each name their kind, and are followed
    to the letter; where none are given, they are chosen, and levels that add nothing are left out.
    """
    _refuse_at_odds(kind, {"interval": widths, "quantile": parts, "frequency": shares})
    if force and out is None:
        raise WordingError("There is nothing to replace by force.", "--force goes with --out FILE.")
    values, _ = table_column(data, schema, column)
    if widths is not None:
        kind, made = "interval", Hierarchy.from_intervals(values.vocabulary, widths)
    elif parts is not None:
        kind, made = "quantile", Hierarchy.from_quantiles(values.vocabulary, values.counts, parts)
    elif shares is not None:
        kind, made = "frequency", Hierarchy.from_frequencies(values.vocabulary, values.counts, shares)
    else:
        kind = kind or likely_kind(values.vocabulary)
        made = Hierarchy.suggest(values.vocabulary, values.counts, kind)
    if out is not None:
        with staged_file(Path(out), is_ours=_is_hierarchy, force=force) as path:
            write_hierarchy(made, path)
    return SuggestedHierarchy(made, kind, _level_sizes(made, values), None if out is None else str(out))


def _refuse_at_odds(kind: HierarchyKind | None, said: Mapping[str, Sequence[float] | None]) -> None:
    """Refuse sizes of several kinds, or of another kind than the one that is named."""
    kinds = [each for each, sizes in said.items() if sizes is not None]
    if len(kinds) > 1 or any(kind not in (None, each) for each in kinds):
        raise WordingError(
            "--widths are of intervals, --parts of quantiles and --shares of frequencies.", "Give those of one kind."
        )


def _is_hierarchy(path: Path) -> bool:
    try:
        read_hierarchy(path)
    except ShoalError:
        return False
    return True


def _level_sizes(hierarchy: Hierarchy, column: Column) -> tuple[LevelSize, ...]:
    sizes = []
    for codes in hierarchy.maps:
        records = np.bincount(codes[column.codes])
        records = records[records > 0]
        sizes.append(LevelSize(len(records), int(records.min()), int(records.max())))
    return tuple(sizes)
