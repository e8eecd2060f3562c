"""Every node of the generalization lattice of a table: what its groups protect, and how much they tell.

*k* is the number of people in the smallest equivalence class; *l* of a sensitive column the fewest different values of
it in a class; its *entropy l* the number of equally likely values that the least uncertain class is worth, 2^H: the
largest k and l of the promises k-anonymity and l-diversity that the table keeps at the node, with nothing withheld.
*Entropy* is that of the equivalence classes, H = −Σ (n/N)·log₂(n/N) over their sizes in records: how many bits the
quasi-identifiers still tell of a record, on average. Where a person may have several records, k and l count people.

Tables of nodes are rolled up one from another in the order of the file, so no more of them are held than there are
quasi-identifiers.
"""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata, kind_in_words
from shoal.engines import LocalEngine
from shoal.errors import InputError, WordingError
from shoal.evidence import GroupCounts, PrivacyHashTable, entropy_of_counts
from shoal.io import Data
from shoal.io.folders.staging import staged_file
from shoal.io.formats.registry import writable_format
from shoal.io.formats.write_frames import Blocks, write_frames
from shoal.io.frames import open_data
from shoal.io.schemas import GivenSchema
from shoal.models import promises

from .read import read

__all__ = ["LatticeNodes", "lattice_nodes", "node_rows", "nodes_file"]

_MOST_NODES = 1_000_000
_BLOCK = 4096
_DISTINCT, _ENTROPY = promises.read("l-diversity:l=2"), promises.read("l-diversity:l=2,kind=entropy")

Row = dict[str, int | float]


@dataclass(frozen=True)
class LatticeNodes:
    """The lattice whose nodes were written."""

    attributes: tuple[str, ...]
    heights: tuple[int, ...]
    nodes: int
    out: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        sizes = {"attributes": list(self.attributes), "heights": list(self.heights), "nodes": self.nodes}
        return {**sizes, "out": self.out, "seconds": round(self.seconds, 3)}


def lattice_nodes(
    data: Data, schema: GivenSchema | None = None, *, out: str | Path, force: bool = False
) -> LatticeNodes:
    """Write a line for every node of the lattice of a table, whatever it keeps: its k, l and entropy."""
    began = time.perf_counter()
    writable_format(Path(out))
    records = read(data, schema).records
    if not isinstance(records, Microdata):
        these = kind_in_words(records.kind)
        raise WordingError(f"The lattice is one of generalizations of a table, and these data are {these}.")
    lattice = TableLattice(records, LocalEngine())
    heights = tuple(hierarchy.height for hierarchy in lattice.hierarchies)
    nodes = math.prod(height + 1 for height in heights)
    if nodes > _MOST_NODES:
        raise WordingError(
            f"The lattice has {nodes:,} nodes, and at most {_MOST_NODES:,} are written.",
            "Give fewer columns the role of a quasi-identifier, or hierarchies with fewer levels.",
        )
    with nodes_file(Path(out), force=force) as file:
        write_frames(_blocks(records), nodes, file)
    names = tuple(column.name for column in records.quasi_identifiers)
    return LatticeNodes(names, heights, nodes, str(out), time.perf_counter() - began)


def nodes_file(out: Path, *, force: bool) -> AbstractContextManager[Path]:
    """Open a file of nodes for writing; with ``force`` in the place of an earlier one, and of no other file."""
    return staged_file(out, is_ours=_is_ours, force=force)


def _is_ours(path: Path) -> bool:
    try:
        return open_data(path).names[0].startswith("level of ")
    except InputError:
        return False


def _blocks(table: Microdata) -> Blocks:
    """Return the lines in frames, first an empty one that shows the columns."""
    rows = node_rows(table)
    first = pl.DataFrame([next(rows)])
    yield 0, first.clear()
    yield 1, first
    while block := [*islice(rows, _BLOCK)]:
        yield len(block), pl.DataFrame(block, schema=first.schema)


def node_rows(table: Microdata) -> Iterator[Row]:
    """Return a line for every node, from the lowest on; the level of the last quasi-identifier changes first."""
    lattice = TableLattice(table, LocalEngine())
    needed = [_DISTINCT if table.has_sensitive else promises.read("k-anonymity:k=2")]
    people = lattice.people(needed)
    names = [column.name for column in table.quasi_identifiers]
    heights = [hierarchy.height for hierarchy in lattice.hierarchies]
    for node in _climbed(lattice.hash_table(needed), heights, 0):
        counts = node.counts if people is None else people.counts(node)
        levels = {f"level of {name}": level for name, level in zip(names, node.node, strict=True)}
        sensitive = [column.name for column in table.sensitive]
        yield {**levels, **_reached(counts, sensitive), "entropy": entropy_of_counts(node.counts.sizes)}


def _climbed(below: PrivacyHashTable, heights: Sequence[int], attribute: int) -> Iterator[PrivacyHashTable]:
    """Return the tables of all nodes that differ from one in an attribute or those after it."""
    if attribute == len(heights):
        yield below
        return
    yield from _climbed(below, heights, attribute + 1)
    for level in range(1, heights[attribute] + 1):
        below = below.rolled_up((*below.node[:attribute], level, *below.node[attribute + 1 :]))
        yield from _climbed(below, heights, attribute + 1)


def _reached(counts: GroupCounts, sensitive: Sequence[str]) -> Row:
    """Return the levels of the promises that the classes keep, for each sensitive column alone."""
    found: Row = {"groups": len(counts), "k": int(counts.sizes.min()) if len(counts) else 0}
    for name, values in zip(sensitive, counts.sensitive, strict=True):
        alone = GroupCounts(counts.sizes, (values,))
        found[f"l of {name}"] = int(_DISTINCT.judge(alone).level["l"])
        found[f"entropy l of {name}"] = float(_ENTROPY.judge(alone).level["l"])
    return found
