"""The method that makes a view of a rating set."""

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from shoal.anonymizers import Allowance, Anonymizer, Recoding
from shoal.data import Ratings, Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .rating_views import RatingViews

__all__ = ["ProfileRecoding"]


class ProfileRecoding(Anonymizer):
    """Publishes one profile for each group of one view; it keeps no promise by itself.

    Its wording says nothing of the place of the view: whoever reads a certificate does not learn how far somebody is
    trusted.
    """

    name: ClassVar[str] = "nested-profiles"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    heeds_rows: ClassVar[bool] = False

    def __init__(self, views: RatingViews, cuts: np.ndarray) -> None:
        """Make a view, by its cuts, of the rating set that the views are of."""
        self._views, self._cuts = views, cuts

    @property
    def instead_of_ratings(self) -> str:
        """What profiles hold in place of anybody's own ratings."""
        return "averages of ratings"

    @property
    def n_ratings(self) -> int:
        """How many ratings the profiles have."""
        return self._published[0].n_ratings

    @cached_property
    def _published(self) -> tuple[Ratings, np.ndarray]:
        return self._views.published(self._cuts)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        assert records is self._views.ratings, "a view is of the ratings that were asked for"
        profiles, stands_for = self._published
        return Recoding(profiles, stands_for)
