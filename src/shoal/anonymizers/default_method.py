"""The default method, and the reason for it.

Neither ``mondrian`` nor ``top-down`` loses less on every table: both are tried, and the one that loses less on the
table at hand is taken. On large tables they are tried on a sample of the records, which is faster and nearly always has
the same outcome. Ratings that fill at least three quarters of the cells are a survey, and are published with ``align``,
which changes little where people answered the same questions. Sparser ratings are those of users who rated some of many
items, each a different set: ``align`` would drop most of their ratings, and people could be re-identified by the rest,
so profiles of groups are published, with ``predictive``. Where the method that suits the data cannot keep the promises,
the other is taken. Promises on sets of items (km-anonymity) are kept by ``item-suppression``, which deletes what is
rare and nothing else; sets that must be equal as a whole are published with ``align``. Surveys are
published with ``joined``, which makes answers alike with the method for their kind.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from shoal.data import Microdata, Ratings, Records, Survey
from shoal.engines import LocalEngine, judge, refuse_misfits
from shoal.errors import GuaranteeError, InputError
from shoal.evidence import NeedItemSets
from shoal.labels.label_loss import published_loss
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .align import Align
from .allowance import Allowance
from .base import Anonymizer
from .canonical_order import canonical_order
from .item_suppression import ItemSuppression
from .joined import Joined
from .mondrian import Mondrian
from .predictive import Predictive
from .promises import are_kept_by_profiles, fewest_raters
from .top_down import TopDown

__all__ = ["default_method"]

_SURVEY = Fraction(3, 4)
"""The share of filled cells from which on ratings are a survey. On ratings of jokes that fill 71 % (Jester), profiles
are more useful than the result of ``align`` and re-identify fewer people (``benchmarks/run.py default_method``)."""

_TRIED = 10_000
"""The most records of a table on which methods are tried."""

_SPREAD = 4
"""The spread of classes of demographics that are published under labels of their own, and not of groups in them."""

_CHANCE = Randomness(1)
"""Trials need no secret: nothing of them is published."""


def default_method(
    records: Records, models: Sequence[PrivacyModel], withhold: Fraction = Fraction(0)
) -> tuple[Anonymizer, str | None]:
    """Return the method and, where there was a choice, the reason in a sentence.

    ``withhold`` is the share of the records that may be withheld.
    """
    if isinstance(records, Microdata) and models:
        return _of_table(records, models, withhold)
    if isinstance(records, Survey):
        return _of_survey(records, models)
    if not isinstance(records, Ratings):
        return Mondrian(), None
    by_items = _of_items(records, models)
    if by_items is not None:
        return by_items
    cells = len(records.observable) * len(records.observable.items)
    share = Fraction(records.observable.n_ratings, cells) if cells else Fraction(1)
    dense, full = share >= _SURVEY, f"{100 * float(share):.3g} % of the cells hold a rating"
    suited, other = (Align(), Predictive()) if dense else (Predictive(), Align())
    obstacle = _obstacle(suited, records, models)
    if obstacle is None or _obstacle(other, records, models) is not None:
        kind = "these ratings are a survey" if dense else "these ratings are sparse"
        return suited, f"Method: {suited.name}, since {kind} ({full}); --method names another."
    return other, f"Method: {other.name}, although {full}, since {obstacle}; --method names another."


def _of_items(ratings: Ratings, models: Sequence[PrivacyModel]) -> tuple[Anonymizer, str] | None:
    """Return the method for promises on items and for sets, where ratings do not matter; None for others."""
    if models and all(isinstance(model.need, NeedItemSets) and model.need.people for model in models):
        method, why = ItemSuppression(), "the promises are about sets of items, of which only rare ones must go"
    elif ratings.is_sets:
        method, why = Align(), "these data are sets, and it makes whole sets alike"
    else:
        return None
    return method, f"Method: {method.name}, since {why}; --method names another."


def _of_survey(survey: Survey, models: Sequence[PrivacyModel]) -> tuple[Anonymizer, str | None]:
    """Return the method that joins both parts; answers are published as ratings of their kind would be."""
    on_answers = [replace(model, part=None) for model in models if model.part != "demographics"]
    answers, reason = default_method(survey.ratings, [model for model in on_answers if "ratings" in model.kinds])
    method = Joined(answers=answers.name)
    if answers.costs(survey.ratings.scale) is None:
        method = replace(method, spread=_SPREAD)
    within = f"Method: joined, with {answers.name} for the answers"
    return method, None if reason is None else reason.replace(f"Method: {answers.name}", within, 1)


def _obstacle(method: Anonymizer, ratings: Ratings, models: Sequence[PrivacyModel]) -> str | None:
    """Say why the method cannot publish the ratings under the promises, if it cannot."""
    if isinstance(method, Align):
        unkept = [model for model in models if model.radius is None and model.kept_by_equal is None]
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


def _of_table(table: Microdata, models: Sequence[PrivacyModel], withhold: Fraction) -> tuple[Anonymizer, str | None]:
    """Try both methods; of equal ones the first is taken."""
    methods = (Mondrian(), TopDown())
    tried = _tried(table)
    with stage("trying methods", len(methods)) as progress:
        losses = []
        for method in methods:
            losses.append(_loss(method, tried, models, Allowance.of_share(tried, withhold)))
            progress.advance(1)
    best, other = (0, 1) if _at_least(losses[1], losses[0]) else (1, 0)
    method, loss, others = methods[best], losses[best], losses[other]
    if loss is None:
        return method, None  # the road explains why neither can
    where = "" if len(tried) == len(table) else f" (tried on {len(tried):,} of {len(table):,} records)"
    if others is None:
        why = f"since {methods[other].name} does not keep the promises"
    else:
        why = f"which loses {100 * loss:.3g} % where {methods[other].name} would lose {100 * others:.3g} %"
    return method, f"Method: {method.name}, {why}{where}; --method names another."


def _at_least(loss: float | None, other: float | None) -> bool:
    """Decide whether a loss is at least as high as another; None, of a method that fails, is the highest."""
    return loss is None or (other is not None and loss >= other)


def _tried(table: Microdata) -> Microdata:
    """Return a sample of a large table, evenly spaced in canonical order, whatever the order of rows."""
    if len(table) <= _TRIED:
        return table
    places = np.arange(_TRIED) * len(table) // _TRIED
    return table.take(canonical_order(table, _CHANCE)[places])


def _loss(
    method: Anonymizer, table: Microdata, models: Sequence[PrivacyModel], max_withheld: Allowance
) -> float | None:
    """Return the loss-mean of a method; None where it does not keep the promises."""
    engine = LocalEngine()
    try:
        refuse_misfits(table, models)
        made = method.recode(table, models, engine, _CHANCE, max_withheld=max_withheld)
        left = np.arange(len(table)) if made.withheld is None else np.flatnonzero(~made.withheld)
        published = made.records.take(left)
        assert isinstance(published, Microdata)
        n_cells = len(table) * len(table.quasi_identifiers)
        return (
            published_loss(table, published, left) / max(n_cells, 1) if judge(published, models, engine).holds else None
        )
    except (InputError, GuaranteeError):
        return None
