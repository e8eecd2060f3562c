"""What published labels of tables stand for, and what they lose, once more, person by person, in plain Python."""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean


@dataclass(frozen=True)
class PlainColumn:
    """A column before and after; ``paths`` has for every leaf of its hierarchy the labels above it, from below."""

    originals: list
    origins: list[int]
    labels: list
    paths: dict | None
    ordered: bool
    words: dict
    """How each value is written."""

    @property
    def domain(self) -> list:
        return sorted(set(self.originals), key=lambda value: (value is not None, value))

    def under(self, label) -> set:
        pairs = zip(self.origins, self.labels, strict=True)
        return {self.originals[origin] for origin, published in pairs if published == label}


def ranges(words: list, ordered: bool) -> dict:
    """Every label for a range or a set of words, missing or not, with the places that it stands for."""
    there = [place for place, word in enumerate(words) if word is not None]
    found = {}
    for start in range(len(there)):
        for stop in range(start + 1, len(there) + 1):
            some = there[start:stop]
            named = [words[place] for place in some]
            if len(some) > 1:
                found |= dict.fromkeys(_labels(named, ordered), some)
            if len(there) < len(words):
                before = "missing or " if ordered else "missing | "
                texts = _labels(named, ordered) if len(some) > 1 else named
                found |= {f"{before}{text}": [0, *some] for text in texts}
    return found


def _labels(named, ordered) -> list:
    return [f"[{named[0]}, {named[-1]}]"] if ordered else [" | ".join(named), f"{named[0]} … {named[-1]}"]


def meaning(column: PlainColumn, label) -> tuple[set, int, int]:
    """The values a label may stand for, how many leaves they are, and how high it stands."""
    under, domain = column.under(label), column.domain
    if len(under) == 1 and column.words[next(iter(under))] == label:
        return under, 1, 0
    leaves, height = size(column)
    paths = column.paths or {}
    for level in range(height if paths else 0):
        named = [leaf for leaf, path in paths.items() if path[level] == label]
        if under <= set(named):
            return set(named) & set(domain), len(named), level + 1
    if label is None or label == "*":
        return set(domain), leaves, height
    places = ranges([column.words[value] for value in domain], column.ordered).get(label)
    if places is not None and under <= (between := {domain[place] for place in places}):
        return between, _leaves_among(column, between), lowest_common(column, between)
    return under, len(under), lowest_common(column, under)


def _leaves_among(column: PlainColumn, values: set) -> int:
    if column.paths is None or not column.ordered:
        return len(values)
    numbers = [value for value in values if value is not None]
    inside = sum(leaf is not None and min(numbers) <= leaf <= max(numbers) for leaf in column.paths)
    return inside + (None in values)


def lowest_common(column: PlainColumn, values: set) -> int:
    """The lowest level on which these values have one label."""
    if len(values) == 1:
        return 0
    if column.paths is None:
        return 1
    return 1 + next(i for i in range(size(column)[1]) if len({column.paths[value][i] for value in values}) == 1)


def size(column: PlainColumn) -> tuple[int, int]:
    """How many leaves the column has, and how high its hierarchy is."""
    if column.paths is None:
        return len(column.domain), 1
    return len(column.paths), len(next(iter(column.paths.values())))


def everybody(columns, of_label, of_withheld) -> list[list]:
    """By column, what each original record loses."""
    out = []
    for column in columns:
        published = dict(zip(column.origins, column.labels, strict=True))
        known = {label: meaning(column, label) for label in set(column.labels)}
        out.append(
            [
                of_label(column, value, *known[published[row]]) if row in published else of_withheld(column, value)
                for row, value in enumerate(column.originals)
            ]
        )
    return out


def loss_mean(columns):
    def lost(column, _value, _values, leaves, _height):
        return Fraction(leaves - 1, max(size(column)[0] - 1, 1))

    return _mean_of_means(everybody(columns, lost, lambda *_: 1))


def certainty_penalty(columns):
    def lost(column, _value, values, leaves, _height):
        numbers = [v for v in column.domain if v is not None]
        if column.ordered and numbers and min(numbers) < max(numbers) and (len(values) == 1 or None not in values):
            return (max(values) - min(values)) / (max(numbers) - min(numbers)) if len(values) > 1 else 0
        return leaves / size(column)[0] if leaves > 1 else 0

    return _mean_of_means(everybody(columns, lost, lambda *_: 1))


def precision(columns):
    def lost(column, _value, _values, _leaves, height):
        return Fraction(height, size(column)[1])

    return 1 - _mean_of_means(everybody(columns, lost, lambda *_: 1))


def distortion_ratio(columns):
    def climbed(_column, _value, _values, _leaves, height):
        return height

    found = everybody(columns, climbed, lambda column, _value: size(column)[1])
    most = sum(size(column)[1] * len(column.originals) for column in columns)
    return Fraction(sum(map(sum, found)), most)


def entropy_loss(columns):
    """None where nothing could be lost."""

    def bits(column, value, values, _leaves, _height):
        return -math.log2(column.originals.count(value) / sum(column.originals.count(each) for each in values))

    def all_bits(column, value):
        return -math.log2(column.originals.count(value) / len(column.originals))

    published = sum(all_bits(column, value) for column in columns for value in column.originals)
    return sum(map(sum, everybody(columns, bits, all_bits))) / published if published else None


def distribution_distance(column) -> float:
    after = dict.fromkeys(column.domain, Fraction(0))
    for label in column.labels:
        values = meaning(column, label)[0]
        for value in values:
            after[value] += Fraction(1, len(values) * len(column.labels))
    before = {value: Fraction(column.originals.count(value), len(column.originals)) for value in column.domain}
    return float(sum(abs(before[value] - after[value]) for value in column.domain) / 2)


def _mean_of_means(found) -> float:
    return fmean(fmean(map(float, column)) for column in found)
