"""The laws of measures: a finite number or a reason, and nothing but what the two sets of records say."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Column, Microdata, Ratings, Records
from shoal.engines import LocalEngine
from shoal.utility import MEASURES, Comparison, Measure, measured

from .strategies import records

__all__ = ["check_measure"]

_CLOSE = 1e-9


def check_measure(measure: Measure, *, catalog: Mapping[str, Measure] = MEASURES, examples: int = 40) -> None:
    """Check every law of measures on one.

    * It is registered under its name, and has a unit and a meaning of one sentence.
    * It is a finite number, or says in a sentence why these records do not allow it to be measured.
    * Where everything is published as it was, it is what it says it is (``unchanged``), if it says so.
    * It does not depend on the order of the original records, nor on that of the published ones, unless it ``draws``.
    """
    assert catalog[measure.name] is measure, f"{measure.name} is not registered"
    assert measure.unit, f"{measure.name} has no unit"
    assert measure.meaning.endswith("."), f"the meaning of {measure.name} is no sentence"
    for kind in ("ratings", "table"):
        _check_unchanged(measure, kind, examples)
        _check_published(measure, kind, examples)


def _check_unchanged(measure: Measure, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind))
    def law(data: Records) -> None:
        value = _value(measure, _comparison(data, np.arange(len(data)), data))
        if value is not None and measure.unchanged is not None:
            said = f"{measure.name} is not {measure.unchanged} where nothing was changed"
            assert math.isclose(value, measure.unchanged, abs_tol=_CLOSE), said

    law()


def _check_published(measure: Measure, kind: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind, max_records=30), st.randoms(use_true_random=False))
    def law(data: Records, chance: Random) -> None:
        origins = np.array(sorted(chance.sample(range(len(data)), chance.randint(1, len(data)))), np.int64)
        published = _coarsened(data.take(origins), chance)
        value = _value(measure, _comparison(data, origins, published))
        if measure.draws:
            return
        before, after = (np.array(chance.sample(range(len(each)), len(each)), np.int64) for each in (data, published))
        shuffled = _comparison(data.take(before), np.argsort(before)[origins][after], published.take(after))
        again = _value(measure, shuffled)
        assert (value is None) == (again is None), f"whether {measure.name} can be measured depends on the order"
        if value is not None and again is not None:
            alike = math.isclose(value, again, rel_tol=_CLOSE, abs_tol=_CLOSE)
            assert alike, f"{measure.name} depends on the order of the records"

    law()


def _value(measure: Measure, comparison: Comparison) -> float | None:
    """Measure; None where the measure says why it cannot."""
    found = measured(comparison, [measure])
    if measure.name in found.reasons:
        assert found.reasons[measure.name].endswith("."), f"{measure.name} gives a reason that is no sentence"
        return None
    value = found.values[measure.name]
    assert isinstance(value, int | float), f"{measure.name} is neither int nor float"
    assert math.isfinite(value), f"{measure.name} is not finite"
    return value


def _comparison(whole: Records, origins: np.ndarray, published: Records) -> Comparison:
    engine = LocalEngine()
    grouping = engine.group(published)
    sizes = engine.count(published, grouping, sensitive=False).sizes
    return Comparison(whole, origins, published, sizes, epsilon=Fraction(1), k=2)


def _coarsened(data: Records, chance: Random) -> Records:
    """Return ratings in which people have those of others, or a table in which some columns say nothing."""
    if isinstance(data, Ratings):
        leaders = np.array([chance.randrange(row + 1) for row in range(len(data))], np.int64)
        return replace(data, observable=data.observable.take(leaders))
    assert isinstance(data, Microdata)
    everything = pl.Series(["*"] * len(data), dtype=pl.String)
    hidden = [column for column in data.quasi_identifiers if chance.random() < 0.5]
    return data.replaced(tuple(Column.encode(column.name, column.role, everything) for column in hidden))
