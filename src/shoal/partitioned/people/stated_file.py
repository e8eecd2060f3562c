"""Read how many people stand behind the classes of a release, which are stated in a file beside its data.

The lines of the file are brought here, one a class, and found at the records that name the classes; whether they fit
the records is decided where these are.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.errors import SchemaError
from shoal.evidence import Grouping
from shoal.io.tables.profile_sizes import stated_lines, unfit_people
from shoal.kernels.numbering import distinct_keys
from shoal.partitioned.group_rows import GroupLayout, group_rows
from shoal.partitioned.persons import STATED
from shoal.partitioned.table import PartitionedTable

__all__ = ["StatedFile", "with_fitting_people"]

_RECORD = "record"


class StatedFile:
    """The lines of a file of people."""

    def __init__(self, path: Path, backend: Backend, sensitive: tuple[str, ...], pseudonyms: str | None = None) -> None:
        """Read the lines; refuse those that no records fit. Records keep their ``pseudonyms`` in a column, if asked."""
        self.path, self._backend, self._pseudonyms = path, backend, pseudonyms
        said = stated_lines(path)
        if said.height > backend.most_groups:
            raise SchemaError(
                f"The file {path.name} states numbers of {said.height:,} classes and values, more than are brought "
                f"together here ({backend.most_groups:,}).",
                "Allow more memory, or read the release into memory (--engine local).",
            )
        named = set(said["attribute"].drop_nulls())
        self.states: tuple[str | None, ...] = (None, *(sensitive if named else ()))
        if not named <= set(sensitive) or said.select(_RECORD, "attribute").is_duplicated().any():
            raise unfit_people(path)
        self.parts = [said.filter(pl.col("attribute").eq_missing(pl.lit(each))) for each in self.states]

    def found(self, rows: Partitions, name: str) -> Partitions:
        """Return rows with the numbers at the records that name a class, in the place of the ``name`` of the record."""
        keep = self._pseudonyms
        lines = tuple(part.select(_RECORD, "people") for part in self.parts)
        others = {each: dtype for each, dtype in rows.columns.items() if each != name}
        kept = {} if keep is None else {keep: pl.String()}
        stated = {f"{STATED}{i}": pl.Int64() for i in range(len(lines))}
        return rows.map_batches(_Find(name, keep, self._backend.shared(lines)), {**others, **kept, **stated})


@dataclass(frozen=True)
class _Find:
    name: str
    keep: str | None
    lines: Shared[tuple[pl.DataFrame, ...]]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        names = batch.select(pl.col(self.name).cast(pl.String).alias(_RECORD))
        found = [names.join(part, _RECORD, "left", maintain_order="left")["people"] for part in self.lines.value]
        kept = [] if self.keep is None else [names[_RECORD].alias(self.keep)]
        stated = [each.alias(f"{STATED}{i}") for i, each in enumerate(found)]
        return batch.drop(self.name).with_columns(*kept, *stated)


def with_fitting_people(table: PartitionedTable, stated: StatedFile) -> PartitionedTable:
    """Return a table with stated numbers of people; refuse a file that does not fit its records."""
    table = replace(table, states=stated.states)
    groups = group_rows(table, sensitive=True)
    found = groups.rows.map_partitions(_Check(groups.layout), _CHECKED).collect("reading how many people there are")
    numbers = [int(found.filter(pl.col("part") == i)["lines"].sum()) for i in range(len(stated.states))]
    if found["faults"].sum() or numbers != [part.height for part in stated.parts]:
        raise unfit_people(stated.path)
    return replace(table, n_people=int(found["most"].to_numpy().max(initial=0)))


_CHECKED: Columns = {"part": pl.Int64(), "lines": pl.Int64(), "faults": pl.Int64(), "most": pl.Int64()}


@dataclass(frozen=True)
class _Check:
    """Counts the lines that are found at records of a partition, and the classes that they do not fit."""

    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_CHECKED))
        grouping = self.layout.grouping(rows)
        in_class, lines, faults = _numbers(rows, 0, grouping)
        checked = [(0, lines, faults, int(in_class.max()))]
        for place in range(1, self.layout.n_stated):
            codes = rows[f"s{place - 1}"].to_numpy().astype(np.int64)
            width = len(self.layout.sensitive[place - 1].vocabulary)
            kinds = Grouping(*distinct_keys(grouping.labels * width + codes))
            people, lines, faults = _numbers(rows, place, kinds)
            of_pair: np.ndarray = np.zeros(kinds.n_groups, np.int64)
            of_pair[kinds.labels] = grouping.labels
            faults += int(np.count_nonzero(people > in_class[of_pair]))
            together = np.bincount(of_pair, people, minlength=grouping.n_groups)
            faults += int(np.count_nonzero(together < in_class))
            checked.append((place, lines, faults, 0))
        return pl.DataFrame(checked, schema=dict(_CHECKED), orient="row")


def _numbers(rows: pl.DataFrame, place: int, kinds: Grouping) -> tuple[np.ndarray, int, int]:
    """Return the people of each kind of rows, how many lines there are, and how many kinds these do not fit."""
    given = rows[f"{STATED}{place}"]
    there = given.is_not_null().to_numpy()
    lines = np.bincount(kinds.labels[there], minlength=kinds.n_groups)
    people = np.zeros(kinds.n_groups, np.int64)
    people[kinds.labels[there]] = given.drop_nulls().to_numpy()
    faults = (lines != 1) | (people > np.bincount(kinds.labels, minlength=kinds.n_groups))
    return people, int(lines.sum()), int(np.count_nonzero(faults))
