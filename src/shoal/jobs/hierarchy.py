"""Generalization hierarchies: check a file, draw one, suggest one for a column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy
from shoal.data.hierarchies.hierarchy import HierarchyKind, likely_kind
from shoal.errors import HierarchyError, InputError, ShoalError, WordingError
from shoal.io import Data, read_hierarchy, write_hierarchy
from shoal.io.folders.staging import staged_file
from shoal.io.hierarchies.faults import HierarchyFault, hierarchy_faults
from shoal.io.hierarchies.file import hierarchy_text
from shoal.io.hierarchies.lines import HierarchyLine, hierarchy_lines
from shoal.io.schemas import GivenSchema
from shoal.pages import hierarchy_drawing
from shoal.progress import whole

from .phases import LOOKING
from .read import table_column

__all__ = [
    "CheckedHierarchy",
    "DrawnHierarchy",
    "LevelSize",
    "SuggestedHierarchy",
    "check_hierarchy",
    "draw_hierarchy",
    "suggest_hierarchy",
]


@dataclass(frozen=True)
class CheckedHierarchy:
    """What is wrong with a hierarchy file, and what is odd; in counts and lines, never in values."""

    faults: tuple[HierarchyFault, ...]
    notes: tuple[str, ...]
    values: int
    levels: int
    """How many levels the first line has, that of the value included."""

    @property
    def holds(self) -> bool:
        """Whether the file is a hierarchy, of the column if one was named."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        faults = [{"fault": each.sentence, "cure": each.cure, "lines": list(each.lines)} for each in self.faults]
        published = {"holds": self.holds, "values": self.values, "levels": self.levels}
        return {**published, "faults": faults, "notes": list(self.notes)}


@whole("checking a hierarchy", *LOOKING)
def check_hierarchy(
    file: str | Path,
    *,
    data: Data | None = None,
    schema: GivenSchema | None = None,
    column: str | None = None,
) -> CheckedHierarchy:
    """Find every fault of a hierarchy file and, with data, every value of a column that it misses."""
    if data is None:
        if schema is not None or column is not None:
            raise InputError(
                "A hierarchy is checked against a column of data, and no data are given.", "Name the data."
            )
        lines = hierarchy_lines(file)
        return _result(lines, (), ())
    if column is None:
        raise InputError("The column of the data that the hierarchy is for is not named.", "Name the column.")
    values, described = table_column(data, schema, column)
    lines = hierarchy_lines(file, described.null)
    return _result(lines, *_against(lines, values))


def _result(
    lines: list[HierarchyLine], more_faults: tuple[HierarchyFault, ...], more_notes: tuple[str, ...]
) -> CheckedHierarchy:
    faults = hierarchy_faults(lines)
    idle = () if faults else _idle_levels(lines)
    notes = (*idle, *more_notes)
    return CheckedHierarchy((*faults, *more_faults), notes, len(lines), len(lines[0].labels) + 1)


def _against(lines: list[HierarchyLine], column: Column) -> tuple[tuple[HierarchyFault, ...], tuple[str, ...]]:
    """Compare the values that are listed with those that occur."""
    listed = pl.Series([line.value for line in lines], dtype=pl.String).unique(maintain_order=True)
    places = Hierarchy.from_columns([listed, pl.Series(["*"] * len(listed))]).places(column.vocabulary)
    occurring = column.counts > 0
    missed = (places < 0) & occurring
    unused = len(listed) - len(np.unique(places[occurring & (places >= 0)]))
    notes = (f"Listed values that do not occur in the data: {unused:,} of {len(listed):,}.",) if unused else ()
    if not missed.any():
        return (), notes
    records = int(column.counts[missed].sum())
    sentence = (
        f"Values of the column {column.name!r} that are not listed: {int(missed.sum()):,} of "
        f"{int(occurring.sum()):,}; {records:,} of {len(column):,} records have them."
    )
    without_missing = bool(column.vocabulary.values.filter(pl.Series(missed)).has_nulls())
    cure = "Add a line for every value that occurs" + (
        ", and one that begins with nothing for the missing value." if without_missing else "."
    )
    return (HierarchyFault(sentence, cure),), notes


def _idle_levels(lines: list[HierarchyLine]) -> list[str]:
    """Name the levels between the values and the root that equal the one below, or the root."""
    columns = list(zip(*((line.value, *line.labels) for line in lines), strict=True))
    sizes = [len(set(column)) for column in columns]
    return [
        f"Level {level} is as {'coarse as the root' if sizes[level] == 1 else f'fine as level {level - 1}'}, "
        "and could be left out."
        for level in range(1, len(sizes) - 1)
        if sizes[level] in (1, sizes[level - 1])
    ]


@dataclass(frozen=True)
class DrawnHierarchy:
    """A tree, line by line."""

    lines: tuple[str, ...] = field(repr=False)
    """Labels, and values unless they were left out: for the owner, who asked for them."""
    sizes: tuple[int, ...]
    """How many labels each level has, from the values to the root."""
    hierarchy: Hierarchy = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The hierarchy as its file would have it, to be edited."""
        return hierarchy_text(self.hierarchy)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"labels": list(self.sizes), "drawing": list(self.lines)}


@whole("drawing a hierarchy", *LOOKING)
def draw_hierarchy(
    file: str | Path | None = None,
    *,
    data: Data | None = None,
    schema: GivenSchema | None = None,
    column: str | None = None,
    most: int = 10,
    values: bool | None = None,
) -> DrawnHierarchy:
    """Draw the hierarchy of a file, or the one that a schema declares for a column of data.

    With data, records are counted by label. The values themselves are drawn unless they come from the
    data, or as ``values`` says.
    """
    if data is not None and column is None:
        raise InputError("The column of the data that the hierarchy is for is not named.", "Name the column.")
    if file is None:
        if data is None or column is None:
            raise InputError("There is nothing to draw.", "Name a hierarchy file, or data, their schema and a column.")
        hierarchy, counts = _declared(data, schema, column)
    elif data is None or column is None:
        if schema is not None or column is not None:
            raise InputError("Records are counted in data, and no data are given.", "Name the data.")
        hierarchy, counts = read_hierarchy(file), None
    else:
        found, described = table_column(data, schema, column)
        hierarchy = read_hierarchy(file, described.null)
        counts = _counts(hierarchy, found)
    shown = file is not None if values is None else values
    lines = hierarchy_drawing(hierarchy, counts, most=most, values=shown)
    return DrawnHierarchy(lines, tuple(len(np.unique(codes)) for codes in hierarchy.maps), hierarchy)


def _declared(data: Data, schema: GivenSchema | None, name: str) -> tuple[Hierarchy, np.ndarray]:
    column, _ = table_column(data, schema, name, hierarchy=True)
    if column.hierarchy is None:
        raise HierarchyError(
            f"The schema declares no hierarchy for the column {name!r}.", "`shoal hierarchy suggest` makes one."
        )
    return column.hierarchy, column.counts


def _counts(hierarchy: Hierarchy, column: Column) -> np.ndarray:
    """Count the records that have each value of a hierarchy; it must cover all that occur."""
    places = hierarchy.places(column.vocabulary)
    missed = int(np.count_nonzero((places < 0) & (column.counts > 0)))
    if missed:
        raise HierarchyError(
            f"The hierarchy misses {missed:,} values of the column {column.name!r}.",
            "Add a line for every value that occurs; `shoal hierarchy check` says more.",
        )
    counts = np.zeros(hierarchy.n_values, np.int64)
    np.add.at(counts, places[places >= 0], column.counts[places >= 0])
    return counts


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
        """Return what ``--json`` prints."""
        levels = [
            {"level": number, "labels": level.labels, "fewest_records": level.fewest, "most_records": level.most}
            for number, level in enumerate(self.levels)
        ]
        return {"kind": self.kind, "levels": levels, "out": self.out}


@whole("suggesting a hierarchy", *LOOKING)
def suggest_hierarchy(
    data: Data,
    schema: GivenSchema | None = None,
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
