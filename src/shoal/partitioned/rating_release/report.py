"""What a release of ratings that are not in memory costs: the quick measures, from sums over its parts."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.data import RatingMatrix, Ratings, Records, Scale, Vocabulary
from shoal.utility import QUICK, Comparison, measured
from shoal.utility.comparison import RatingDifferences
from shoal.utility.measure import Unmeasurable
from shoal.utility.ratings.items import ItemMoments, moments_of_both, shared_moments

from .write_ratings import WrittenParts, differences_of

__all__ = ["report_of_ratings"]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Summed(Comparison):
    """A comparison of which the sums are known, and the records are elsewhere."""

    differences: RatingDifferences
    given: int = field(default=0)

    @property
    def withheld(self) -> int:
        """Nobody is withheld."""
        return 0

    @cached_property
    def original(self) -> Records:
        """Nobody's ratings, on the scale of the release."""
        return self.released

    @cached_property
    def ratings(self) -> RatingDifferences | None:
        """The differences, added up."""
        return self.differences

    @cached_property
    def n_given(self) -> tuple[int, int]:
        """How many non-sensitive ratings were given: everybody is published."""
        return self.given, self.given


def report_of_ratings(
    written: WrittenParts,
    sizes: Mapping[int, int],
    scales: tuple[Scale, Scale],
    k: int | None,
    *,
    replaced: bool,
) -> dict[str, int | float]:
    """Return the quick measures by name; ``scales`` are those of the originals and of the release."""
    whole, released = (_nobody(scale) for scale in scales)
    everybody = np.arange(written.people)
    before, after = (ItemMoments.of_sums(*each) for each in zip(written.moments, scales, strict=True))
    summed = _Summed(
        whole,
        everybody,
        released,
        np.repeat([*sizes], [*sizes.values()]),
        places=everybody,
        k=k,
        replaced=replaced,
        differences=differences_of(written.differences, int(scales[0].step / scales[1].step)),
        given=int(before.counts.sum()),
    )
    with suppress(Unmeasurable):  # as whoever measures finds
        summed.known(moments_of_both, shared_moments(before, after))
    report = dict(measured(summed, QUICK).values)
    if not replaced:  # everybody's own ratings are published
        report["original and unique"] = sizes.get(1, 0) / written.people
    return report


def _nobody(scale: Scale) -> Ratings:
    nothing = RatingMatrix.empty(0, scale.dtype)
    return Ratings(Vocabulary.numbered(0), nothing, nothing, scale)
