"""Which method publishes records where their owner names none, and why.

Tables are published with ``mondrian``. Ratings that fill at least three quarters of the cells are a survey, and are
published with ``align``, which changes little where people answered the same questions. Sparser ones are those of users
who rated some of many items, each a set of their own: ``align`` would drop most of their ratings and leave people
findable by the others, so profiles of groups are published, with ``predictive``. Where the one that fits the data
cannot keep the promises, the other is taken.
"""

from collections.abc import Sequence
from fractions import Fraction

from shoal.data import Ratings, Records
from shoal.models import KAnonymity, KEpsilon, PrivacyModel

from .align import Align
from .base import Anonymizer
from .fitting_promises import are_kept_by_profiles, fewest_raters
from .mondrian import Mondrian
from .predictive import Predictive

__all__ = ["default_method"]

_SURVEY = Fraction(3, 4)
"""The share of the cells from which on ratings are a survey. Of jokes that fill 71 % (Jester), profiles tell more and
give fewer people away than what ``align`` leaves of them (``benchmarks/run.py default_method``)."""


def default_method(records: Records, models: Sequence[PrivacyModel]) -> tuple[Anonymizer, str | None]:
    """Give the method and, where there was a choice, the reason in a sentence."""
    if not isinstance(records, Ratings):
        return Mondrian(), None
    cells = len(records.observable) * len(records.observable.items)
    share = Fraction(records.observable.n_ratings, cells) if cells else Fraction(1)
    dense, full = share >= _SURVEY, f"{100 * float(share):.3g} % of the cells hold a rating"
    suited, other = (Align(), Predictive()) if dense else (Predictive(), Align())
    obstacle = _obstacle(suited, records, models)
    if obstacle is None or _obstacle(other, records, models) is not None:
        kind = "these ratings are a survey" if dense else "these ratings are sparse"
        return suited, f"Method: {suited.name}, since {kind} ({full}); --method names another."
    return other, f"Method: {other.name}, although {full}, since {obstacle}; --method names another."


def _obstacle(method: Anonymizer, ratings: Ratings, models: Sequence[PrivacyModel]) -> str | None:
    """Say why the method cannot publish the ratings under the promises, if it cannot."""
    if isinstance(method, Align):
        unkept = [model for model in models if not isinstance(model, KAnonymity | KEpsilon)]
        return f"{method.name} cannot keep {unkept[0]}" if unkept else None
    unkept = [model for model in models if not are_kept_by_profiles(model)]
    if unkept:
        return f"{method.name} cannot keep {unkept[0]}"
    if ratings.has_sensitive:
        return f"some items are sensitive and {method.name} publishes groups, not people"
    raters = fewest_raters(models)
    if ratings.observable.raters.max(initial=0) < raters:
        return f"no item has the {raters:,} raters that {method.name} needs"
    return None
