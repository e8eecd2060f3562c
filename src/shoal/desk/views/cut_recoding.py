"""The method that makes a view of a tree."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from shoal.anonymizers import Allowance, Anonymizer, Recoding
from shoal.data import Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .cut_views import CutViews

__all__ = ["CutRecoding"]


class CutRecoding(Anonymizer):
    """Labels every record by its group in one view; it keeps no promise by itself.

    Its wording says nothing of the place of the view: whoever reads a certificate does not learn how far somebody is
    trusted.
    """

    name: ClassVar[str] = "nested-recoding"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    def __init__(self, views: CutViews, cuts: np.ndarray) -> None:
        """Make a view, by its cuts, of the table that the views are of."""
        self._views, self._cuts = views, cuts

    @property
    def attribute_degrees(self) -> dict[str, float]:
        """The degree of anonymization of each quasi-identifier, the mean over its records."""
        return {name: float(degree) for name, degree in self._views.attribute_degrees(self._cuts).items()}

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        assert records is self._views.table, "a view is of the table that was asked for"
        withheld = None if self._views.is_shown.all() else ~self._views.is_shown
        return Recoding(self._views.published(self._cuts), withheld=withheld)
