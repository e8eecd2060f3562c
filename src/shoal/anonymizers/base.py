"""The contract of an anonymization method: what it is given, and what it returns."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from shoal.data import Microdata, Records, Role, Scale, kind_in_words, kinds_in_words
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness
from shoal.wording import Registry, Worded

from .allowance import NOTHING_WITHHELD, Allowance
from .rating_groups.rating_costs import RatingCosts
from .strata import Strata

__all__ = ["Anonymizer", "Recoding", "methods"]


@dataclass(frozen=True)
class Recoding:
    """The same records in the same order, generalized; or fewer records that stand for several people each."""

    records: Records
    stands_for: np.ndarray | None = None
    """For each original record, the row that stands for it; None: the one in its own place."""
    notes: Mapping[str, int | float] = field(default_factory=dict)
    """Figures on the work of the method, by name: for the owner, never for readers of the release."""
    remarks: tuple[str, ...] = ()
    """Sentences that are shown to the owner at once."""
    withheld: np.ndarray | None = None
    """The mask of the original records that the method itself withholds; None: it leaves that to the road.

    The recoded values of withheld records do not matter. Where records stand for several people, none is withheld."""

    def taken(self, rows: np.ndarray) -> Self:
        """Return the recoding of these rows of the original records, in this order."""
        if self.stands_for is not None:
            return replace(self, stands_for=self.stands_for[rows])
        withheld = None if self.withheld is None else self.withheld[rows]
        return replace(self, records=self.records.take(rows), withheld=withheld)


@dataclass(frozen=True)
class Anonymizer(Worded, ABC):
    """A method with its settings: frozen, comparable, and written as one wording."""

    kinds: ClassVar[frozenset[str]]
    """The kinds of records it works on."""
    truthful: ClassVar[bool] = True
    """Whether every label that it publishes covers the original value; means do not."""
    generalizes_items: ClassVar[bool] = False
    """Whether it publishes labels of a hierarchy in the place of items of sets."""
    heeds_rows: ClassVar[bool] = True
    """Whether the order of rows may decide by itself, without a draw, such as which of two equal records goes where."""

    @property
    def instead_of_ratings(self) -> str:
        """What is published in place of the ratings that people gave, in words; empty where those are published."""
        return ""

    def costs(self, scale: Scale) -> RatingCosts | None:  # noqa: ARG002
        """Return what changes of ratings cost where it publishes the ratings of groups alike at least cost, else None.

        Then others may choose the groups, and have their ratings aligned at these costs.
        """
        return None

    def recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        *,
        max_withheld: Allowance = NOTHING_WITHHELD,
    ) -> Recoding:
        """Generalize or modify the records so that the promises hold, as far as this method can.

        Up to ``max_withheld`` may be withheld: a method names those records, or leaves the ones that break a promise
        as they are for the road to withhold. With a secret, a method that heeds the order of records gets them in a
        secret order: readers may know the original one, such as the alphabet, and must not infer from it who is grouped
        with whom. A table with strata is recoded stratum by stratum: no group crosses them.
        """
        if records.kind not in self.kinds:
            raise self.misfit(records.kind)
        if isinstance(records, Microdata) and records.with_role(Role.STRATUM):
            parts = Strata.of(records, models, max_withheld)
            kept = parts.promises(models, engine)
            recoding = parts.together([self._shuffled(part, kept, engine, randomness, some) for part, some in parts])
        else:
            recoding = self._shuffled(records, models, engine, randomness, max_withheld)
        rows = recoding.records if recoding.stands_for is None else recoding.stands_for
        assert len(rows) == len(records)
        assert recoding.withheld is None or (recoding.stands_for is None and len(recoding.withheld) == len(records))
        return recoding

    def misfit(self, kind: str) -> WordingError:
        """Return the error that says that it does not work on this kind of records."""
        part = "table" if "table" in self.kinds else "answers"
        inside = kind == "survey" and self.truthful and not self.generalizes_items
        return WordingError(
            f"The method {self.name!r} works on {kinds_in_words(self.kinds)}, and these data are "
            f"{kind_in_words(kind)}.",
            f"Write joined:{part}={self.name}, to publish both parts." if inside else "",
        )

    def _shuffled(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        """Recode the records in a secret order, where there is a secret and the method heeds the order."""
        if randomness.secret is None or not self.heeds_rows:
            return self._recode(records, models, engine, randomness, max_withheld)
        order = randomness.generator("order of rows").permutation(len(records))
        recoding = self._recode(records.take(order), models, engine, randomness, max_withheld)
        return recoding.taken(np.argsort(order))

    @abstractmethod
    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding: ...


methods: Registry[Anonymizer] = Registry("method", "shoal.anonymizers")
