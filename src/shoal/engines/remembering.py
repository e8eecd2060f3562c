"""An engine that counts neighbours, and who shares sets of items, once."""

from dataclasses import dataclass, field
from fractions import Fraction

from shoal.data import Records
from shoal.evidence import Grouping, NeedItemSets, Neighbourhoods, SharedItemSets

from .local import LocalEngine

__all__ = ["RememberingEngine"]


@dataclass(frozen=True)
class RememberingEngine(LocalEngine):
    """Runs on this machine and keeps what it found, for one data set that is asked about repeatedly."""

    _found: dict[tuple[object, ...], Neighbourhoods] = field(default_factory=dict, repr=False, compare=False)
    _shared: dict[tuple[object, ...], SharedItemSets] = field(default_factory=dict, repr=False, compare=False)

    def neighbours(
        self, records: Records, epsilon: Fraction, *, enough: int | None = None, sensitive: bool = False
    ) -> Neighbourhoods:
        """Count the other records within ε of each record, unless that was done before."""
        asked = (id(records), epsilon, enough, sensitive)
        if asked not in self._found:
            self._found[asked] = super().neighbours(records, epsilon, enough=enough, sensitive=sensitive)
        return self._found[asked]

    def item_sets(self, records: Records, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        """Count the groups that hold the rarest sets of items, unless that was done before."""
        asked = (id(records), id(grouping), need)
        if asked not in self._shared:
            self._shared[asked] = super().item_sets(records, grouping, need)
        return self._shared[asked]
