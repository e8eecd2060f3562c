"""A hierarchy of numbers with more levels: intervals are halved by width between its levels and below the lowest.

A hierarchy often jumps: from ``*`` to intervals of 20 years, and from 5 years to the value itself. Between two levels,
the interval of a label is halved at the border of a label below that is nearest to its middle, the halves are halved
again, and so on until a half is a label of the level below. A half is written ``[low, high)``.

*Where the ends come from.* Not from the records: a range from the lowest to the highest value that occurs would reveal
both. The ends depend on the hierarchy alone, or on nothing:

* Labels that are written as intervals have those ends. Where all of a level are equally wide, borders are the multiples
  of the width whether records have them or not, and above the highest level of that kind widths double.
* Other labels, such as ``0-4`` or ``young``, are the words of the person who listed the domain: a label reaches
  from its lowest listed value to the one after its highest.
* Numbers without a hierarchy are generalized to intervals whose widths are powers of two, counted from 0.
* Masks and sets are no intervals, and are left alone, as is everything that is not a number.

How many levels there are may depend on the records; what a label may be called does not.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.data import Hierarchy, Vocabulary
from shoal.data.same_values import exact_number
from shoal.data.written_label import MISSING, ROOT, half_open_interval, interval, plain_number

from .parsed_label import parsed_label

__all__ = ["HalvedHierarchy", "halved_hierarchy"]

_MOST = 12
"""How often the interval of a label is halved before the level below comes."""


class HalvedHierarchy(NamedTuple):
    """A hierarchy with levels of halves between those that it had."""

    hierarchy: Hierarchy
    heights: tuple[int, ...]
    """By level, which level it was; of a level of halves, the one above it."""


def halved_hierarchy(hierarchy: Hierarchy | None, vocabulary: Vocabulary) -> HalvedHierarchy:
    """Return the hierarchy of a column with levels of halves between its own; a column without one gets one."""
    whole = _all_or_nothing(vocabulary) if hierarchy is None else hierarchy.declared or hierarchy
    unchanged = HalvedHierarchy(hierarchy or whole, tuple(range(whole.height + 1)))
    halving = _Halving.of(whole, whole_numbers=vocabulary.values.dtype.is_integer()) if vocabulary.is_numeric else None
    if halving is None:
        return unchanged
    levels = halving.levels()
    if len(levels) == whole.height + 1:
        return unchanged
    halved = Hierarchy.from_columns([names for _, names in levels]).rebased(vocabulary)
    return HalvedHierarchy(halved, tuple(height for height, _ in levels))


def _all_or_nothing(vocabulary: Vocabulary) -> Hierarchy:
    return Hierarchy.from_columns([vocabulary.values, pl.Series([ROOT] * len(vocabulary), dtype=pl.String)])


class _Interval(NamedTuple):
    """Numbers from one end to another, the higher among them or not."""

    low: Fraction
    high: Fraction
    closed: bool = False

    @property
    def text(self) -> str:
        write = interval if self.closed else half_open_interval
        return write(plain_number(self.low), plain_number(self.high))

    def halves(self, cut: Fraction) -> tuple["_Interval", "_Interval"]:
        return _Interval(self.low, cut), _Interval(cut, self.high, self.closed)


Borders = Callable[[_Interval], Fraction | None]
"""Gives the border nearest to the middle of an interval, strictly inside; None where there is none."""


class _Halving:
    """The levels of one hierarchy and what is known of their labels."""

    def __init__(self, whole: Hierarchy, numbers: Sequence[Fraction | None], *, whole_numbers: bool) -> None:
        self._whole, self._numbers, self._whole_numbers = whole, numbers, whole_numbers
        placed = [i for i, number in enumerate(numbers) if number is not None]
        self._leaves = np.array(sorted(placed, key=lambda i: numbers[i] or 0), np.int64)  # in order, none missing
        self._ordered = [Fraction(numbers[i] or 0) for i in self._leaves.tolist()]
        self._texts = [labels.words.gather(codes) for labels, codes in zip(whole.labels, whole.maps, strict=True)]

    @classmethod
    def of(cls, whole: Hierarchy, *, whole_numbers: bool) -> "_Halving | None":
        """Read the values; None where there are not two numbers, or something else than numbers."""
        words = whole.labels[0].words.to_list()
        numbers = [exact_number(word) for word in words]
        found = {number for number in numbers if number is not None}
        others = sum(word is not None for word, number in zip(words, numbers, strict=True) if number is None)
        if others or len(found) < 2 or len(found) + words.count(None) < len(words):
            return None
        return cls(whole, numbers, whole_numbers=whole_numbers)

    def levels(self) -> list[tuple[int, pl.Series]]:
        """Return the labels of all values by level, halves included, each with the given level it belongs to."""
        levels = [(0, self._whole.labels[0].values)]
        for level in range(1, self._whole.height + 1):
            levels += [(level, names) for names in reversed(list(self._between(level)))]
            levels.append((level, self._texts[level]))
        return levels

    def _between(self, level: int) -> Iterator[pl.Series]:
        """Return the levels of halves under a level, the highest first."""
        if level == self._whole.height and (step := self._step(level - 1)) is not None:
            paths = self._doubled(step)
        else:
            paths = self._halved(level)
        below = self._texts[level - 1] if level > 1 else self._texts[0].fill_null(MISSING)
        above = self._whole.maps[level]
        for depth in range(max((len(path) for path in paths.values()), default=0)):
            names = below.to_list()
            for leaf, path in paths.items():
                if depth < len(path):
                    names[leaf] = path[depth]
            made = pl.Series(names, dtype=pl.String)
            if _is_between(made, above, self._whole.maps[level - 1]):
                yield made

    def _step(self, level: int) -> Fraction | None:
        """Return the width of the labels of a level that is a grid of equally wide intervals; None where it is none."""
        if level == 0:
            alone = self._whole.height == 1  # values and a root: nothing is known of the domain
            return Fraction(1 if self._whole_numbers else 0) if alone else None
        found = [self._written(level, leaf) for leaf in self._firsts(level)]
        if not found or any(each is None or each.closed for each in found):
            return None
        widths = {each.high - each.low for each in found if each is not None}
        step = next(iter(widths))
        return step if len(widths) == 1 and all(each.low % step == 0 for each in found if each is not None) else None

    def _doubled(self, step: Fraction) -> dict[int, list[str]]:
        """Return for each leaf the intervals of double, fourfold, … width, widest first; of real numbers, halves."""
        unit = step or Fraction(1)
        top = _most_doublings(self._ordered, unit)
        lowest = 1 if step else top - _MOST
        widths = [unit * Fraction(2) ** power for power in range(top, lowest - 1, -1)][:_MOST]
        paths: dict[int, list[str]] = {leaf: [] for leaf in self._leaves.tolist()}
        for width in widths:
            places = [number // width for number in self._ordered]
            texts = {place: _Interval(place * width, (place + 1) * width).text for place in set(places)}
            for path, place in zip(paths.values(), places, strict=True):
                path.append(texts[place])
        return paths

    def _halved(self, level: int) -> dict[int, list[str]]:
        """Return for each leaf the halves it lies in, the widest first."""
        borders = self._borders(level - 1)
        paths: dict[int, list[str]] = {}
        if borders is None:
            return paths
        nodes = self._whole.maps[level][self._leaves]
        order = np.argsort(nodes, kind="stable")
        for places in np.split(order, np.flatnonzero(np.diff(nodes[order])) + 1):
            bounds = self._bounds(level, places)
            if bounds is not None:
                self._cut(int(places[0]), int(places[-1]) + 1, bounds, level - 1, borders, [], paths)
        return paths

    def _cut(
        self,
        begin: int,
        end: int,
        bounds: _Interval,
        below: int,
        borders: Borders,
        path: list[str],
        paths: dict[int, list[str]],
    ) -> None:
        """Halve an interval that holds the leaves from begin to end, in their order; note the halves of each leaf."""
        codes = self._whole.maps[below][self._leaves[begin:end]]
        cut = None if (codes == codes[0]).all() or len(path) >= _MOST else borders(bounds)
        if cut is None:
            for leaf in self._leaves[begin:end].tolist():
                paths[leaf] = path
            return
        middle = bisect_left(self._ordered, cut, begin, end)
        for first, last, half in zip((begin, middle), (middle, end), bounds.halves(cut), strict=True):
            if first < last:
                self._cut(first, last, half, below, borders, [*path, half.text], paths)

    def _bounds(self, level: int, places: np.ndarray) -> _Interval | None:
        """Return the interval of the label of some leaves, given by their places in order; None where it has none."""
        leaf = int(self._leaves[places[0]])
        is_root = level == self._whole.height
        if not is_root and (written := self._written(level, leaf)) is not None:
            inside = written.low <= self._ordered[places[0]] and self._ordered[places[-1]] <= written.high
            return written if inside else None
        all_placed = is_root or np.count_nonzero(self._whole.maps[level] == self._whole.maps[level][leaf]) == len(
            places
        )
        if not all_placed or places[-1] - places[0] + 1 != len(places):
            return None
        if is_root and self._whole.height > 1:
            ends = [self._bounds_below(level - 1, int(places[i])) for i in (0, -1)]
            return None if ends[0] is None or ends[1] is None else _Interval(ends[0].low, ends[1].high, ends[1].closed)
        return self._listed(level, leaf, int(places[0]), int(places[-1]))

    def _bounds_below(self, level: int, place: int) -> _Interval | None:
        codes = self._whole.maps[level][self._leaves]
        return self._bounds(level, np.flatnonzero(codes == codes[place]))

    def _listed(self, level: int, leaf: int, first: int, last: int) -> _Interval | None:
        """Return from which listed value to which one a label in somebody's own words reaches."""
        text = self._texts[level][leaf]
        if text is None or parsed_label(text).form != "word":
            return None
        after = last + 1
        high = self._ordered[after] if after < len(self._ordered) else 2 * self._ordered[last] - self._ordered[last - 1]
        return _Interval(self._ordered[first], high)

    def _written(self, level: int, leaf: int) -> _Interval | None:
        """Return the ends of a label that is written as an interval."""
        text = self._texts[level][leaf]
        label = None if text is None else parsed_label(text)
        if label is None or label.with_missing or label.form not in ("interval", "half-open interval"):
            return None
        low, high = (exact_number(part) for part in label.parts)
        return None if low is None or high is None else _Interval(low, high, label.form == "interval")

    def _borders(self, level: int) -> Borders | None:
        """Return where intervals may be cut so that the labels of a level stay whole."""
        if level == 0:
            if self._is_listed():
                return _among(self._ordered)
            return _whole_middle if self._whole_numbers else _middle
        step = self._step(level)
        if step is not None:
            return lambda bounds: _multiple(bounds, step)
        codes = self._whole.maps[level][self._leaves]
        firsts = np.flatnonzero(np.diff(codes, prepend=-1))
        if len(firsts) != len(np.unique(codes)):
            return None  # labels that are not intervals: cutting in order would part them
        lows = [self._bounds_below(level, place) for place in firsts.tolist()]
        return None if any(low is None for low in lows) else _among([low.low for low in lows if low is not None])

    def _is_listed(self) -> bool:
        """Decide whether the labels are somebody's own words; the values are then those of the whole domain."""
        texts = self._texts[1].gather(self._firsts(1)).drop_nulls()
        return self._whole.height > 1 and all(parsed_label(text).form == "word" for text in texts)

    def _firsts(self, level: int) -> list[int]:
        """Return a leaf that is a number under each label of a level."""
        _, firsts = np.unique(self._whole.maps[level][self._leaves], return_index=True)
        return self._leaves[firsts].tolist()


def _most_doublings(ordered: Sequence[Fraction], unit: Fraction) -> int:
    """Return how often the unit may be doubled before intervals separate numbers by nothing but their sign."""
    most = len(bin(ceil(max(abs(ordered[0]), abs(ordered[-1])) / unit))) - 2
    if ordered[0] < 0 <= ordered[-1]:
        return most
    while ordered[0] // (unit * Fraction(2) ** most) == ordered[-1] // (unit * Fraction(2) ** most):
        most -= 1
    return most


def _is_between(made: pl.Series, above: np.ndarray, below: np.ndarray) -> bool:
    """Decide whether labels are a level between two others: finer than the one, coarser than the other, and nested."""
    codes = Vocabulary.encode(made)[1].astype(np.int64)
    n_made, n_above, n_below = len(np.unique(codes)), len(np.unique(above)), len(np.unique(below))
    nests = len(np.unique(codes * (int(above.max()) + 1) + above)) == n_made
    covers = len(np.unique(below.astype(np.int64) * n_made + codes)) == n_below
    return n_above < n_made < n_below and nests and covers


def _middle(bounds: _Interval) -> Fraction | None:
    return (bounds.low + bounds.high) / 2


def _whole_middle(bounds: _Interval) -> Fraction | None:
    cut = Fraction(floor((bounds.low + bounds.high) / 2))
    return cut if bounds.low < cut else None


def _multiple(bounds: _Interval, step: Fraction) -> Fraction | None:
    cut = floor((bounds.low + bounds.high) / 2 / step) * step
    cut = cut if cut > bounds.low else cut + step
    return cut if bounds.low < cut < bounds.high else None


def _among(borders: Sequence[Fraction]) -> Borders:
    def nearest(bounds: _Interval) -> Fraction | None:
        middle = (bounds.low + bounds.high) / 2
        place = bisect_left(borders, middle)
        near = [border for border in borders[max(place - 1, 0) : place + 1] if bounds.low < border < bounds.high]
        return min(near, key=lambda border: (abs(border - middle), border), default=None)

    return nearest
