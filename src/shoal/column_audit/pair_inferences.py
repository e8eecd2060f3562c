"""Rules between columns that are read in the release and one quasi-identifier that is known."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.evidence import PairCounts

from .dependency import Determination, determination, determining_values
from .inferences import excluded_values
from .known_column import KnownColumn, common_parts, determined_ranges
from .rules import ExclusionRule, LabelRule, RangeRule, Rule, ValueRule, View

__all__ = ["pair_rules"]


@dataclass(frozen=True, eq=False)
class _Read:
    """The columns that are read, and every pair of what is read and what is known."""

    columns: tuple[str, ...]
    everything: PairCounts


def pair_rules(
    columns: tuple[str, ...], known: KnownColumn, learned: PairCounts, everything: PairCounts
) -> Iterator[Rule]:
    """Yield all rules between what is read and exact or coarser values of the quasi-identifier."""
    read = _Read(columns, everything)
    forward, backward = determination(learned), determination(learned.swapped)
    exactly, already = known.exactly, forward.whole or backward.whole
    yield from _value_rule(read, forward, exactly)
    yield from _label_rule(read, backward, exactly)
    yield from _exclusion_rule(read, learned, exactly, already=already)
    for view in known.coarser:
        # what determines exact values as a whole, or is determined by them, does so for every coarser view
        pairs = learned.coarsened(view.label_of, view.n_labels)
        if not forward.whole:
            yield from _value_rule(read, determination(pairs), view)
        if not backward.whole:
            yield from _label_rule(read, determination(pairs.swapped), view)
        yield from _exclusion_rule(read, pairs, view, already=already)
    if not already:
        yield from _common_rule(read, learned, known)
        yield from _range_rule(read, learned, known)


def _value_rule(read: _Read, said: Determination, view: View) -> Iterator[ValueRule]:
    """Yield the inference of a quasi-identifier from what is read."""
    if (said.determined >= 0).any():
        pairs = read.everything
        exact = said.exact and bool((said.determined[pairs.one] == view.label_of[pairs.other]).all())
        yield ValueRule(read.columns, (view.name,), said.whole, exact, view, said.determined)


def _label_rule(read: _Read, said: Determination, view: View) -> Iterator[LabelRule]:
    """Yield the inference of what is read from what is known."""
    if (said.determined >= 0).any():
        pairs = read.everything
        exact = said.exact and bool((said.determined[view.label_of[pairs.other]] == pairs.one).all())
        yield LabelRule(read.columns, (view.name,), said.whole, exact, view, said.determined)


def _common_rule(read: _Read, pairs: PairCounts, known: KnownColumn) -> Iterator[ValueRule]:
    """Yield the inference that what is read and what is known determine the same common part."""
    of_read, of_known, n_parts = common_parts(pairs)
    determined = determining_values(pairs.coarsened(of_known, n_parts).swapped.coarsened(of_read, n_parts).swapped)
    if (determined >= 0).any():
        view = View(known.column.name, of_known, n_parts)
        yield ValueRule(read.columns, (view.name,), False, False, view, determined[of_read])


def _exclusion_rule(read: _Read, pairs: PairCounts, view: View, *, already: bool) -> Iterator[ExclusionRule]:
    """Yield the inference that values do not occur together, unless one column determines the other ``already``."""
    excluded = None if already else excluded_values(pairs.swapped)
    if excluded is not None:
        yield ExclusionRule(read.columns, (view.name,), False, False, view, excluded)


def _range_rule(read: _Read, pairs: PairCounts, known: KnownColumn) -> Iterator[RangeRule]:
    """Yield the inference of the range of a quasi-identifier."""
    if known.ranks is None:
        return
    view = View(known.column.name, known.ranks.astype(np.int64), known.n_values)
    lowest, highest = determined_ranges(pairs.coarsened(view.label_of, view.n_labels))
    if (highest - lowest < view.n_labels - 1).any():
        yield RangeRule(read.columns, (view.name,), False, False, view, lowest, highest)
