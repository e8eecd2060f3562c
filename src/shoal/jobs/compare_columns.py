"""Compare the columns of a release with their originals: one by one, and two together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.display import Displayed, Picture, Summary, Table
from shoal.errors import WordingError
from shoal.progress import stage, whole
from shoal.utility.before_and_after import ColumnSpread, joint_shares, names_to_compare, spread_of
from shoal.utility.comparison import Comparison
from shoal.wording.format import format_count, format_share

from .measure import compared
from .phases import MEASURING
from .release_and_truth import GivenLedger, GivenRelease, ReleaseAndTruth

__all__ = ["ColumnsResult", "ComparedColumn", "ComparedPair", "compare_columns"]

_USUAL = 12
"""How many columns or items are compared where none is named."""
_LISTED = 500
"""How many names are told, so that others can be asked for."""


@dataclass(frozen=True)
class ComparedColumn:
    """One column or item before and after; classes are named by values of records, for the owner to look at."""

    name: str
    classes: tuple[str, ...]
    before: tuple[float, ...]
    """The share of the original records in each class."""
    after: tuple[float, ...]
    """The share of the published records in each class."""
    distance: float
    """The share of the records that would have to move for both to be equal."""


@dataclass(frozen=True)
class ComparedPair:
    """Two columns together, before and after: shares by the classes of the first, then of the second."""

    names: tuple[str, str]
    classes: tuple[tuple[str, ...], tuple[str, ...]]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]
    distance: float


@dataclass(frozen=True, repr=False)
class ColumnsResult(Displayed):
    """Columns before and after. It shows values of records, to the owner who asks for them."""

    records_before: int
    records_after: int
    columns: tuple[ComparedColumn, ...]
    pair: ComparedPair | None
    names: tuple[str, ...]
    """What else can be compared."""
    further_names: int
    """How many more there are."""

    def _summary(self) -> Summary:
        rows = [[each.name, format_share(each.distance)] for each in self.columns]
        moved = Table.of("Shares of values that moved", ("column", "records that would have to move back"), rows)
        title = f"ColumnsResult: {format_count(len(self.columns), 'column')} before and after"
        pair = self.pair
        of_two = () if pair is None else (f"{pair.names[0]} with {pair.names[1]}: {format_share(pair.distance)}.",)
        return Summary(title, None, tables=(moved,), sentences=of_two)

    def _pictures(self) -> Iterator[Picture]:
        from shoal.pages.paired_bars import PairedBar, paired_bars

        for each in self.columns:
            shares = list(zip(each.classes, each.before, each.after, strict=True))
            most = min(-(-max((*each.before, *each.after, 0.01)) // 0.04) * 0.04, 1.0)
            about = f"Shares of records by {each.name}, before and after."
            chart = paired_bars(
                [PairedBar(*share) for share in shares], ("before", "published"), about=about, most=most, narrow=True
            )
            rows = [[name, format_share(before), format_share(after)] for name, before, after in shares]
            table = Table.of(f"{each.name}: shares of the records", ("value", "before", "published"), rows)
            note = f"{format_share(each.distance)} of the records would have to move back."
            yield Picture(each.name, note, chart, table=table)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        pair = self.pair
        return {
            "records_before": self.records_before,
            "records_after": self.records_after,
            "columns": [
                {
                    "name": each.name,
                    "classes": list(each.classes),
                    "before": list(each.before),
                    "after": list(each.after),
                    "distance": each.distance,
                }
                for each in self.columns
            ],
            "pair": None
            if pair is None
            else {
                "names": list(pair.names),
                "classes": [list(each) for each in pair.classes],
                "before": [list(row) for row in pair.before],
                "after": [list(row) for row in pair.after],
                "distance": pair.distance,
            },
            "names": list(self.names),
            "further_names": self.further_names,
        }


@whole("measuring", *MEASURING)
def compare_columns(
    folder: GivenRelease,
    ledger: GivenLedger,
    *,
    columns: Sequence[str] = (),
    pair: Sequence[str] = (),
) -> ColumnsResult:
    """Compare columns or items of a release with the originals in its ledger, and two of them together.

    Without names, all columns are compared, or the items with most ratings. ``pair`` are the names of two. The result
    shows values of records: it is for the owner, who has them.
    """
    if len(pair) not in (0, 2) or len(set(pair)) != len(pair):
        raise WordingError("Two different columns are compared together.", "Name two of them.")
    both = ReleaseAndTruth.read(folder, ledger)
    comparison = compared(both)
    with stage("measuring"):
        names = names_to_compare(comparison)
        asked = [_spread(comparison, name) for name in columns or names[:_USUAL]]
        together = None if not pair else _together(*(_spread(comparison, name) for name in pair))
    return ColumnsResult(
        len(both.original),
        len(both.origins),
        tuple(map(_alone, asked)),
        together,
        tuple(names[:_LISTED]),
        max(len(names) - _LISTED, 0),
    )


def _spread(comparison: Comparison, name: str) -> ColumnSpread:
    found = spread_of(comparison, name)
    if found is None:
        raise WordingError(f"There is nothing published that is called {name!r}.", "Name a column or an item.")
    return found


def _alone(spread: ColumnSpread) -> ComparedColumn:
    before, after = spread.shares_before, spread.shares_after
    return ComparedColumn(spread.name, spread.classes, tuple(before.tolist()), tuple(after.tolist()), spread.distance)


def _together(one: ColumnSpread, other: ColumnSpread) -> ComparedPair:
    before, after = joint_shares(one, other)
    return ComparedPair(
        (one.name, other.name),
        (one.classes, other.classes),
        tuple(map(tuple, before.tolist())),
        tuple(map(tuple, after.tolist())),
        float(np.abs(before - after).sum() / 2),
    )
