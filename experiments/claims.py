"""Tests that decide a claim from the tidy table, from means over seeds: rises, falls, at most, lower than, times, near.

Each looks at every part of the table by itself (``across``, usually the data set), holds where it holds in all parts,
and returns the numbers of all of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import polars as pl

from experiments.experiment import Found, Setting

__all__ = [
    "Series",
    "Test",
    "at_least",
    "at_most",
    "below",
    "both",
    "come_closer",
    "falls",
    "falls_then_rises",
    "grow_apart",
    "highest_at",
    "lower",
    "lowest_at",
    "near",
    "rises",
    "times",
]

Test = Callable[[pl.DataFrame], Found]


@dataclass(frozen=True)
class Series:
    """A measured column along a setting: ``Series("average query error", "epsilon", {"method": "graph"})``."""

    y: str
    along: str
    where: Mapping[str, Setting | tuple[Setting, ...]] = field(default_factory=dict)
    """Only rows with these values; of several, one of them."""
    across: str = "data"
    """Each value of this column is looked at by itself."""
    show: str = ".3g"
    """How a value is written; ``.1%`` for shares."""

    def parts(self, table: pl.DataFrame) -> Iterable[tuple[str, list[tuple[Any, float]]]]:
        """Yield the name of each part, and its means at the values of ``along`` in ascending order."""
        for name, value in self.where.items():
            table = table.filter(pl.col(name).is_in(value if isinstance(value, tuple) else (value,)))
        table = table.drop_nulls([self.along, self.y])
        names = table[self.across].unique(maintain_order=True).to_list() if self.across in table.columns else [None]
        for name in names:
            part = table if name is None else table.filter(pl.col(self.across) == name)
            means = part.group_by(self.along).agg(pl.col(self.y).mean()).sort(self.along)
            yield "" if name is None else str(name), list(zip(means[self.along], means[self.y], strict=True))

    def written(self, value: float) -> str:
        """Return a value as it is shown on the page."""
        return format(value, self.show)

    def at(self, point: tuple[Any, float]) -> str:
        """Return a mean with its setting: "0.4 at epsilon 2"."""
        return f"{self.written(point[1])} at {self.along} {point[0]}"


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
    """Return a test whether the means fall to a lowest one between the ends, and then rise at every step.

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


def lower(series: Series, than: Series) -> Test:
    """Return a test whether the means of one series are below those of another wherever both were measured."""

    def judge(pairs: list[tuple[Any, float, float]]) -> tuple[bool, str]:
        won = [(x, ours, theirs) for x, ours, theirs in pairs if ours < theirs]
        x, ours, theirs = max(pairs, key=lambda pair: pair[1] - pair[2])
        shown = f"{series.written(ours)} against {series.written(theirs)} at {series.along} {x}"
        return len(won) == len(pairs), f"lower at {len(won)} of {len(pairs)} settings, {shown}"

    return _beside(series, than, judge)


def times(series: Series, than: Series, least: float, most: float = float("inf")) -> Test:
    """Return a test whether one series is so many times another: the mean of the ratios lies between two bounds."""

    def judge(pairs: list[tuple[Any, float, float]]) -> tuple[bool, str]:
        ratios = [ours / theirs for _, ours, theirs in pairs]
        mean = sum(ratios) / len(ratios)
        return (
            least <= mean <= most,
            f"{mean:.3g} times on average over {series.along}, {min(ratios):.3g} to {max(ratios):.3g}",
        )

    return _beside(series, than, judge)


def grow_apart(series: Series, above: Series) -> Test:
    """Return a test whether one series is farther above another at the largest setting than at the smallest."""
    return _beside(series, above, lambda pairs: _gap(series, pairs, 1))


def come_closer(series: Series, above: Series) -> Test:
    """Return a test whether one series is no farther above another at the largest setting than at the smallest."""
    return _beside(series, above, lambda pairs: _gap(series, pairs, -1))


def _gap(series: Series, pairs: list[tuple[Any, float, float]], direction: int) -> tuple[bool, str]:
    (first, before), (last, after) = ((x, ours - theirs) for x, ours, theirs in (pairs[0], pairs[-1]))
    shown = [f"{series.written(gap)} more at {series.along} {x}" for x, gap in ((first, before), (last, after))]
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
        off = f"{apart(worst):.1%}" if relative else series.written(apart(worst))
        shown = f"{series.written(ours)} against {series.written(theirs)} at {series.along} {x}"
        return apart(worst) <= within, f"at most {off} apart, {shown}"

    return _beside(series, to, judge)


def both(*tests: Test) -> Test:
    """Return a test that holds where all of these do."""

    def test(table: pl.DataFrame) -> Found:
        found = [each(table) for each in tests]
        return Found(all(each.holds for each in found), "; ".join(each.numbers for each in found))

    return test


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
        found = [(name, worst(means)) for name, means in series.parts(table)]
        parts = [_named(name, f"{word} {series.at(point)}") for name, point in found]
        return _found(holds=all(holds(point[1]) for _, point in found), parts=parts)

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


def _named(name: str, shown: str) -> str:
    return f"{name}: {shown}" if name else shown


def _found(*, holds: bool, parts: list[str]) -> Found:
    return Found(holds and bool(parts), "; ".join(parts) or "nothing was measured")
