"""Tests that decide a claim from the tidy table, from means over seeds: rises, falls, at most, lower than, near.

Each looks at every part of the table by itself (``across``, usually the data set), holds where it holds in all parts,
and returns the numbers of all of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import polars as pl

from experiments.experiment import Found, Setting
from experiments.series import Series

__all__ = [
    "Series",
    "Test",
    "at_least",
    "at_most",
    "below",
    "between",
    "both",
    "come_closer",
    "either",
    "falls",
    "falls_then_rises",
    "for_each",
    "grow_apart",
    "higher",
    "highest_at",
    "labeled",
    "lower",
    "lowest_at",
    "near",
    "rises",
    "times",
]

Test = Callable[[pl.DataFrame], Found]


def rises(series: Series, *, at_every_step: bool = False, by: float = 0) -> Test:
    """Return a test whether the mean at the largest setting is above that at the smallest; or each above the last.

    ``by`` is by which share of the earlier mean it must be: times never repeat exactly.
    """
    return _moves(series, 1, at_every_step=at_every_step, by=by)


def falls(series: Series, *, at_every_step: bool = False, by: float = 0) -> Test:
    """Return a test whether the mean at the largest setting is below that at the smallest; or each below the last.

    ``by`` is by which share of the earlier mean it must be: times never repeat exactly.
    """
    return _moves(series, -1, at_every_step=at_every_step, by=by)


def falls_then_rises(series: Series, *, by: float = 0) -> Test:
    """Return a test whether the lowest mean lies between the ends, and the means rise at every step from there.

    ``by`` is by which share of the lowest mean the first and the last must be above it: times never repeat exactly.
    """

    def test(table: pl.DataFrame) -> Found:
        holds, parts = True, []
        for name, means in series.parts(table):
            values = [mean for _, mean in means]
            lowest = values.index(min(values))
            rising = all(after > before for before, after in pairwise(values[lowest:]))
            deep = min(values[0], values[-1]) > (1 + by) * values[lowest]
            holds = holds and deep and rising
            parts.append(_named(name, ", ".join(series.at(point) for point in means)))
        return _found(holds=holds, parts=parts)

    return test


def at_most(series: Series, bound: float) -> Test:
    """Return a test whether no mean is above a bound."""
    return _extreme(series, lambda means: max(means, key=_mean), lambda mean: mean <= bound, "at most")


def below(series: Series, bound: float) -> Test:
    """Return a test whether every mean is below a bound."""
    return _extreme(series, lambda means: max(means, key=_mean), lambda mean: mean < bound, "at most")


def at_least(series: Series, bound: float) -> Test:
    """Return a test whether no mean is below a bound."""
    return _extreme(series, lambda means: min(means, key=_mean), lambda mean: mean >= bound, "at least")


def between(series: Series, least: float, most: float) -> Test:
    """Return a test whether every mean lies between two bounds."""

    def test(table: pl.DataFrame) -> Found:
        holds, parts = True, []
        for name, means in series.parts(table):
            low, high = min(means, key=_mean), max(means, key=_mean)
            holds = holds and least <= low[1] and high[1] <= most
            shown = _throughout(series, means) or f"{series.at(low)} to {series.at(high)}"
            parts.append(_named(name, shown))
        return _found(holds=holds, parts=parts)

    return test


def lower(series: Series, than: Series) -> Test:
    """Return a test whether the means of one series are below those of another wherever both were measured."""
    return _beside(series, than, lambda pairs: _outdone(series, pairs, -1, "lower"))


def higher(series: Series, than: Series) -> Test:
    """Return a test whether the means of one series are above those of another wherever both were measured."""
    return _beside(series, than, lambda pairs: _outdone(series, pairs, 1, "higher"))


def _outdone(series: Series, pairs: list[tuple[Any, float, float]], direction: int, word: str) -> tuple[bool, str]:
    won = sum(direction * (ours - theirs) > 0 for _, ours, theirs in pairs)
    x, ours, theirs = min(pairs, key=lambda pair: direction * (pair[1] - pair[2]))
    shown = f"{series.written(ours)} against {series.written(theirs)} at {series.setting(x)}"
    return won == len(pairs), f"{word} at {won} of {len(pairs)} settings, {shown}" if len(pairs) > 1 else shown


def times(series: Series, than: Series, least: float, most: float = float("inf")) -> Test:
    """Return a test whether one series is so many times another: the mean of the ratios lies between two bounds."""

    def judge(pairs: list[tuple[Any, float, float]]) -> tuple[bool, str]:
        ratios = [ours / theirs for _, ours, theirs in pairs]
        mean = sum(ratios) / len(ratios)
        one = f"{mean:.3g} times at {series.setting(pairs[0][0])}"
        several = f"{mean:.3g} times on average over {series.letter}, {min(ratios):.3g} to {max(ratios):.3g}"
        return least <= mean <= most, one if len(pairs) == 1 else several

    return _beside(series, than, judge)


def grow_apart(series: Series, above: Series) -> Test:
    """Return a test whether one series is farther above another at the largest setting than at the smallest."""
    return _beside(series, above, lambda pairs: _gap(series, pairs, 1))


def come_closer(series: Series, above: Series) -> Test:
    """Return a test whether one series is no farther above another at the largest setting than at the smallest."""
    return _beside(series, above, lambda pairs: _gap(series, pairs, -1))


def _gap(series: Series, pairs: list[tuple[Any, float, float]], direction: int) -> tuple[bool, str]:
    (first, before), (last, after) = ((x, ours - theirs) for x, ours, theirs in (pairs[0], pairs[-1]))
    points = replace(series, unit="points") if series.unit == "%" else series
    shown = [
        f"{points.written(abs(gap))} {'less' if gap < 0 else 'more'} at {series.setting(x)}"
        for x, gap in ((first, before), (last, after))
    ]
    return (after > before) == (direction > 0), ", ".join(shown)


def highest_at(series: Series, setting: Setting, than: Sequence[Setting] | None = None) -> Test:
    """Return a test whether the mean at a setting is higher than at each of these others, or at all others."""
    return _stands_out(series, setting, than, 1)


def lowest_at(series: Series, setting: Setting, than: Sequence[Setting] | None = None) -> Test:
    """Return a test whether the mean at a setting is lower than at each of these others, or at all others."""
    return _stands_out(series, setting, than, -1)


def near(series: Series, to: Series, within: float, *, relative: bool = True) -> Test:
    """Return a test whether the means of one series differ from those of another by at most a share of the latter.

    Where it is not relative, by at most so much.
    """

    def apart(pair: tuple[Any, float, float]) -> float:
        return abs(pair[1] - pair[2]) / ((abs(pair[2]) or 1) if relative else 1)

    def judge(pairs: list[tuple[Any, float, float]]) -> tuple[bool, str]:
        x, ours, theirs = worst = max(pairs, key=apart)
        points = f"{100 * apart(worst):.1f} points" if series.show.endswith("%") else series.written(apart(worst))
        off = f"{apart(worst):.1%}" if relative else points
        shown = f"{series.written(ours)} against {series.written(theirs)} at {series.setting(x)}"
        return apart(worst) <= within, f"{'at most ' if len(pairs) > 1 else ''}{off} apart, {shown}"

    return _beside(series, to, judge)


def both(*tests: Test) -> Test:
    """Return a test that holds where all of these do."""

    def test(table: pl.DataFrame) -> Found:
        found = [each(table) for each in tests]
        return Found(all(each.holds for each in found), "; ".join(each.numbers for each in found))

    return test


def labeled(label: str, test: Test) -> Test:
    """Return a test that says before its numbers what they are of, as where several are joined by :func:`both`."""

    def test_with_label(table: pl.DataFrame) -> Found:
        found = test(table)
        return Found(found.holds, f"{label}: {found.numbers}")

    return test_with_label


def either(*tests: Test) -> Test:
    """Return a test that holds where one of these does: readings of a sentence that the paper leaves open."""

    def test(table: pl.DataFrame) -> Found:
        found = [each(table) for each in tests]
        numbers = dict.fromkeys(each.numbers for each in found)
        return Found(any(each.holds for each in found), "; ".join(numbers))

    return test


def for_each(column: str, test: Test) -> Test:
    """Return a test that holds where this one does for every value of a column by itself."""

    def tests(table: pl.DataFrame) -> Found:
        values = table[column].drop_nulls().unique().sort()
        each = {value: labeled(f"*{Series('', column).setting(value)}*", test) for value in values}
        found = [labeled_test(table.filter(pl.col(column) == value)) for value, labeled_test in each.items()]
        return _found(holds=all(one.holds for one in found), parts=[one.numbers for one in found])

    return tests


def _mean(point: tuple[Any, float]) -> float:
    return point[1]


def _moves(series: Series, direction: int, *, at_every_step: bool, by: float) -> Test:
    def test(table: pl.DataFrame) -> Found:
        holds, parts = True, []
        for name, means in series.parts(table):
            ends = [means[0], means[-1]]
            steps = pairwise(means) if at_every_step else [ends]
            holds = holds and all(direction * (after[1] - before[1]) > by * abs(before[1]) for before, after in steps)
            shown = means if at_every_step else ends
            parts.append(_named(name, ", ".join(series.at(point) for point in shown)))
        return _found(holds=holds, parts=parts)

    return test


def _stands_out(series: Series, setting: Setting, than: Sequence[Setting] | None, direction: int) -> Test:
    def test(table: pl.DataFrame) -> Found:
        holds, parts = True, []
        for name, means in series.parts(table):
            shown = [point for point in means if than is None or point[0] in (setting, *than)]
            own = dict(shown).get(setting)
            others = [mean for x, mean in shown if x != setting]
            holds = holds and own is not None and all(direction * (own - mean) > 0 for mean in others)
            parts.append(_named(name, ", ".join(f"{x} {series.written(mean)}" for x, mean in shown)))
        return _found(holds=holds, parts=parts)

    return test


def _extreme(
    series: Series,
    worst: Callable[[list[tuple[Any, float]]], tuple[Any, float]],
    holds: Callable[[float], bool],
    word: str,
) -> Test:
    def test(table: pl.DataFrame) -> Found:
        found = [(name, means, worst(means)) for name, means in series.parts(table)]
        shown = [_throughout(series, means) or f"{word} {series.at(point)}" for _, means, point in found]
        parts = [_named(name, each) for (name, _, _), each in zip(found, shown, strict=True)]
        return _found(holds=all(holds(point[1]) for _, _, point in found), parts=parts)

    return test


def _beside(series: Series, other: Series, judge: Callable[[list[tuple[Any, float, float]]], tuple[bool, str]]) -> Test:
    def test(table: pl.DataFrame) -> Found:
        others = {name: dict(means) for name, means in other.parts(table)}
        holds, parts = True, []
        for name, means in series.parts(table):
            pairs = [(x, mean, others[name][x]) for x, mean in means if x in others.get(name, {})]
            if pairs:
                held, shown = judge(pairs)
                holds = holds and held
                parts.append(_named(name, shown))
        return _found(holds=holds, parts=parts)

    return test


def _throughout(series: Series, means: list[tuple[Any, float]]) -> str:
    """Return what is shown where there is one value only, or everywhere the same; nothing otherwise."""
    if len(means) == 1:
        return series.at(means[0])
    values = {series.written(mean) for _, mean in means}
    return f"{values.pop()} at every {series.letter}" if len(values) == 1 else ""


def _named(name: str, shown: str) -> str:
    return f"{name}: {shown}" if name else shown


def _found(*, holds: bool, parts: list[str]) -> Found:
    return Found(holds and bool(parts), "; ".join(parts) or "nothing was measured")
