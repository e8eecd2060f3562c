"""Mondrian: cut the records into ever smaller groups for as long as every part keeps the promises.

*Definition.* Starting with all records in one group, each group is cut on the quasi-identifier on which it is widest
(as a share of the whole domain), or the next widest if that cut breaks a promise; a group none of whose cuts keeps the
promises is final and is published under one label an attribute. Numbers, dates and categories without a hierarchy are
cut in two at the middle of their order; categories with a hierarchy into the branches of the lowest node that covers
the group, of which those that break a promise stay together as one rest (:mod:`.pooled_parts`). ``mode=strict`` never
parts equal values; ``mode=relaxed`` halves the group and may.

Where records may be withheld, those are that cost the others of their groups more than they tell
(:mod:`.worthwhile_withholding`).

*Guarantee.* Any promise that joining groups cannot break (merge-safe), judged on every group before it is made. It is
a heuristic: the result is valid but not the least loss possible.

*Reference.* LeFevre, DeWitt, Ramakrishnan 2006. All groups of one depth are cut at once, so the promises judge
thousands of candidate groups in one call. We differ in the strict cut: it is the change of value nearest to the
middle, on either side of the median, which balances at least as well. And we differ in pooling: one rare branch would
refuse the cut to all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, cast

from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.promises import refuse_unjoinable
from shoal.anonymizers.withholding import Allowance
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .cut_table import TableCutting
from .worthwhile_withholding import worthwhile_withholding

__all__ = ["Mondrian"]

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe rounds them outward."
)


@methods.add
@dataclass(frozen=True)
class Mondrian(Anonymizer):
    """Top-down cuts at the middle, widest attribute first."""

    name: ClassVar[str] = "mondrian"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    mode: Literal["strict", "relaxed"] = "strict"
    numbers: Literal["cut", "hierarchy"] = "cut"
    """Whether numbers that have a hierarchy are cut at their middle all the same, or along it."""
    labels: Literal["safe", "tight"] = "safe"
    """Whether the ends of ranges are rounded outward, or are those that occur in the group."""

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(),
            cls(mode="relaxed"),
            cls(numbers="hierarchy"),
            cls(mode="relaxed", numbers="hierarchy", labels="tight"),
        )

    def _recode(
        self, records: Records, models: Sequence[PrivacyModel], engine: Engine, randomness: Randomness, spare: int
    ) -> Recoding:
        table = cast(Microdata, records)
        refuse_unjoinable(self.name, models)
        if not table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalize.", "Give columns that role in the schema.")
        cutting = TableCutting(
            table,
            models,
            engine,
            ties=randomness if self.mode == "relaxed" else None,
            by_hierarchy=self.numbers == "hierarchy",
            widened=self.labels == "safe",
        )
        cut = cutting.of_all()
        made = worthwhile_withholding(cutting, cut, Allowance.of(table, spare)) if spare else Recoding(cut.published)
        return replace(made, remarks=(_TIGHT,)) if self.labels == "tight" else made
