"""Search the generalization lattice of a table: what each node costs, as far as the search had to look."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from shoal.anonymizers import Allowance, Anonymizer, Lattice, methods
from shoal.anonymizers.generalization.node_evaluation import EvaluatedNode
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.lattice import LatticeOutcome
from shoal.anonymizers.lattice.fixed_levels import levels_in_words
from shoal.data import Microdata, kind_in_words
from shoal.display import Displayed, Picture, Summary, Table
from shoal.engines import LocalEngine, refuse_misfits
from shoal.errors import WordingError
from shoal.io import Data
from shoal.io.formats.registry import writable_format
from shoal.io.formats.write_frames import write_frames
from shoal.io.schemas import GivenSchema
from shoal.models.asked_models import AskedModels, asked_models
from shoal.plan import share_to_withhold
from shoal.progress import whole
from shoal.wording.format import format_count, format_number

from .lattice_nodes import nodes_file
from .phases import SEARCHING
from .read import read

__all__ = ["LatticeResult", "generalization_strategies", "lattice"]

_SHOWN = 20
_TOLD = 300
"""So many nodes are told, the best first; all of them are in the file."""


@dataclass(frozen=True, repr=False)
class LatticeResult(Displayed):
    """The best node, the minimal ones if they were asked for, and all that were looked at."""

    attributes: tuple[str, ...]
    heights: tuple[int, ...]
    strategies: int
    """In how many ways one can go from the lowest node to the highest, a step at a time."""
    loss: str
    outcome: LatticeOutcome
    seconds: float

    @property
    def ranked(self) -> list[EvaluatedNode]:
        """The nodes that were looked at: the best first, and last those that break the promises."""
        keeping = sorted((each for each in self.outcome.evaluated if each.keeps), key=lambda each: each.rank)
        breaking = sorted((each for each in self.outcome.evaluated if not each.keeps), key=lambda each: each.node)
        return [*keeping, *breaking]

    @property
    def table(self) -> pl.DataFrame:
        """A line for each node that was looked at, the best first."""
        found = self.ranked
        levels = {name: [each.node[i] for each in found] for i, name in enumerate(self.attributes)}
        rest = {
            "keeps": [each.keeps for each in found],
            "withheld": [each.withheld for each in found],
            "groups": [each.groups for each in found],
            self.loss: [each.loss if each.keeps else None for each in found],
        }
        return pl.DataFrame({f"level of {name}": column for name, column in levels.items()} | rest)

    @property
    def searched(self) -> str:
        """How much of the lattice was searched, in words."""
        return (
            f"{format_count(self.outcome.nodes, 'node')}, {len(self.outcome.evaluated):,} evaluated in "
            f"{self.seconds:.2f} s; {format_count(self.strategies, 'path')} from the bottom to the top"
        )

    def best_nodes(self, most: int) -> Table:
        """Return a line for each of the best nodes."""
        heads = [f"{name} (0–{height})" for name, height in zip(self.attributes, self.heights, strict=True)]
        rows = [
            [*map(str, row[: len(heads)]), *_in_words(row[len(heads) :])] for row in self.table.head(most).iter_rows()
        ]
        head = (*heads, "keeps", "withheld", "groups", self.loss)
        return Table(
            "Nodes, the best first", head, tuple(map(tuple, rows)), (), len(self.outcome.evaluated) - len(rows)
        )

    def _summary(self) -> Summary:
        minimal = self.outcome.minimal
        facts = () if minimal is None else (("minimal nodes", f"{len(minimal):,}"),)
        late = () if self.outcome.whole else ("Time ran out: a better node than the best found may exist.",)
        found = self.outcome.best is not None
        return Summary(f"LatticeResult: {self.searched}", found, facts, (self.best_nodes(_SHOWN),), late)

    def _pictures(self) -> Iterator[Picture]:
        from shoal.pages.lattice_picture import LatticeNode, lattice_picture

        nodes = [LatticeNode(each.node, each.keeps, each.loss if each.keeps else None) for each in self.ranked]
        best = self.outcome.best
        if nodes:
            yield lattice_picture(nodes, self.heights, None if best is None else best.node)

    def _told(self, each: EvaluatedNode) -> dict[str, Any]:
        """Return a node as ``--json`` prints it: with the method that takes it, where it keeps the promises."""
        loss = "" if self.loss == Lattice().loss else f"loss={self.loss},"
        method = f"lattice:{loss}levels={levels_in_words(self.attributes, each.node)}" if each.keeps else None
        return {
            "node": list(each.node),
            "keeps": each.keeps,
            "withheld": each.withheld,
            "groups": each.groups,
            "loss": each.loss if each.keeps else None,
            "method": method,
        }

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        best, minimal = self.outcome.best, self.outcome.minimal
        published = None if best is None else {"node": list(best.node), "withheld": best.withheld, "loss": best.loss}
        return {
            "attributes": list(self.attributes),
            "heights": list(self.heights),
            "nodes": self.outcome.nodes,
            "strategies": self.strategies,
            "looked_at": len(self.outcome.evaluated),
            "whole": self.outcome.whole,
            "loss": self.loss,
            "best": published,
            "minimal": None if minimal is None else [list(node) for node in minimal],
            "found": [self._told(each) for each in self.ranked[:_TOLD]],
            "seconds": round(self.seconds, 3),
        }


def _in_words(rest: tuple[Any, ...]) -> list[str]:
    keeps, withheld, groups, loss = rest
    return ["yes" if keeps else "no", f"{withheld:,}", f"{groups:,}", "–" if loss is None else format_number(loss)]


@whole("looking at generalizations", *SEARCHING)
def lattice(
    data: Data,
    models: AskedModels | None = None,
    schema: GivenSchema | None = None,
    *,
    model: AskedModels | None = None,
    method: Lattice | str | None = None,
    withhold: str | float | Fraction = "0",
    minimal: bool = False,
    out: str | Path | None = None,
    force: bool = False,
) -> LatticeResult:
    """Search the lattice of a table's generalizations; write the nodes that were looked at to a file if asked.

    ``method`` is the method ``lattice`` with its settings, such as ``lattice:loss=height``: no other searches one.
    """
    method = _searching(method)
    share = share_to_withhold(withhold)
    asked = asked_models(models, model)
    if not asked:
        raise WordingError("A search needs at least one promise.", "Add --model k-anonymity:k=5, for example.")
    if force and out is None:
        raise WordingError("There is nothing to replace by force.", "--force goes with --out FILE.")
    if out is not None:
        writable_format(Path(out))
    records = read(data, schema).records
    if not isinstance(records, Microdata):
        these = kind_in_words(records.kind)
        raise WordingError(f"The lattice is one of generalizations of a table, and these data are {these}.")
    refuse_misfits(records, asked)
    began = time.perf_counter()
    whole = TableLattice(records, LocalEngine())
    outcome = method.searched(whole, asked, Allowance.of_share(records, share), minimal=minimal)
    heights = tuple(hierarchy.height for hierarchy in whole.hierarchies)
    names = tuple(column.name for column in records.quasi_identifiers)
    seconds = time.perf_counter() - began
    result = LatticeResult(names, heights, generalization_strategies(heights), method.loss, outcome, seconds)
    if out is not None:
        _write(result.table, Path(out), force=force)
    return result


def _searching(method: Anonymizer | str | None) -> Lattice:
    """Return the method that searches; refuse every other."""
    found = Lattice() if method is None else methods.read(method) if isinstance(method, str) else method
    if not isinstance(found, Lattice):
        name = getattr(found, "name", type(found).__name__)
        raise WordingError(
            f"{name!r} does not search a lattice.",
            "Write lattice:loss=height, for example; to publish with another method, use shoal publish.",
        )
    return found


def _write(table: pl.DataFrame, out: Path, *, force: bool) -> None:
    with nodes_file(out, force=force) as file:
        write_frames(iter([(0, table.clear()), (len(table), table)]), len(table), file)


def generalization_strategies(heights: Sequence[int]) -> int:
    """Count the paths from the lowest to the highest node of the lattice, one attribute going up a level each time.

    That is the multinomial (h₁ + … + hₙ)! / (h₁!·…·hₙ!) of the heights of the hierarchies (thesis, Theorem 2.1).
    """
    paths = math.factorial(sum(heights))
    for height in heights:
        paths //= math.factorial(height)
    return paths
