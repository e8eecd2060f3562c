"""Mondrian: multidimensional recoding by cutting groups as long as every part keeps the promises.

*Definition.* Starting with all records in one group, each group is cut on the quasi-identifier on which it is widest
(as a share of the whole domain), or the next widest if that cut breaks a promise; a group none of whose cuts keeps the
promises is final and is published under one label per attribute. Numbers, dates and categories without a hierarchy are
cut in two at the middle of their order; categories with a hierarchy into the branches of the lowest node that covers
the group, of which those that break a promise are pooled into one part. ``mode=strict`` never separates equal values;
``mode=relaxed`` cuts at the median and may.

Where records may be withheld, those are withheld whose presence costs the other records of their groups more than a
withheld record costs (:mod:`.withholding`).

*Guarantee.* Any promise that merging groups cannot break (merge-safe), judged on every group before it is made. It is
a heuristic: the result is valid, not of least information loss.

*Reference.* LeFevre, DeWitt, Ramakrishnan 2006. All groups of one depth are cut at once, so the promises judge
thousands of candidate groups in one call. We differ in the strict cut: it is the change of value nearest to the
middle, on either side of the median, which balances at least as well. And we differ in pooling: without it one rare
branch would prevent the cut for all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, cast

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.promises import refuse_unless_merge_safe
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .cut_table import TableCutting
from .withholding import with_costly_records_withheld

__all__ = ["Mondrian"]

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe rounds them outward."
)


@methods.add
@dataclass(frozen=True)
class Mondrian(Anonymizer):
    """Cuts groups at the middle, widest attribute first."""

    name: ClassVar[str] = "mondrian"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    mode: Literal["strict", "relaxed"] = "strict"
    numbers: Literal["cut", "hierarchy"] = "cut"
    """Whether numbers with a hierarchy are cut at their middle all the same, or along the hierarchy."""
    labels: Literal["safe", "tight"] = "safe"
    """Whether the ends of ranges are rounded outward, or are those that occur in the group."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the owner is told of such a release."""
        return (_TIGHT,) if self.labels == "tight" else ()

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
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        table = cast(Microdata, records)
        refuse_unless_merge_safe(self.name, models)
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
        made = Recoding(cut.published)
        if max_withheld.records:
            made = with_costly_records_withheld(cutting, cut, max_withheld)
        return replace(made, remarks=self.remarks)
