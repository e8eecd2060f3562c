"""Every measure that does more than count cells, once more, person by person, in plain Python."""

import math
import statistics
from fractions import Fraction

import oracles


def rows_of(ratings, matrix=None):
    """The ratings of each person, None where there is none."""
    return [list(row) for row in oracles.profiles(ratings, matrix)]


def cost(before, after, step, invent=3, drop=2):
    """Moving a rating by a step costs 1."""
    total = Fraction(0)
    for one, other in zip(before, after, strict=True):
        for a, b in zip(one, other, strict=True):
            if a is not None and b is not None:
                total += abs(a - b) / step
            elif a is not None:
                total += drop
            elif b is not None:
                total += invent
    return total


def rated_cells(before, after) -> int:
    """Cells with a rating before or after."""
    pairs = [pair for one, other in zip(before, after, strict=True) for pair in zip(one, other, strict=True)]
    return sum(a is not None or b is not None for a, b in pairs)


def shifts(before, after):
    """How far mean and deviation of each item moved, for items rated on both sides."""
    moved = []
    for old, new in zip(zip(*before, strict=True), zip(*after, strict=True), strict=True):
        old, new = ([float(rating) for rating in item if rating is not None] for item in (old, new))
        if old and new:
            means = abs(statistics.fmean(old) - statistics.fmean(new))
            moved.append((means, abs(statistics.pstdev(old) - statistics.pstdev(new))))
    return moved


def clustering_coefficient(rows, epsilon, r) -> float:
    """The share of joined pairs among the neighbours of each, averaged."""
    total = 0.0
    for i, one in enumerate(rows):
        near = [other for j, other in enumerate(rows) if j != i and oracles.proximate(one, other, epsilon, r)]
        pairs = [(a, b) for n, a in enumerate(near) for b in near[n + 1 :]]
        joined = sum(oracles.proximate(a, b, epsilon, r) for a, b in pairs)
        total += joined / len(pairs) if pairs else 0
    return total / len(rows)


def lloyd(points, centres, rounds=100):
    """k-means from given centres; the first of equally near ones, and a centre without points stays."""
    members = None
    for _ in range(rounds):
        nearest = [min(range(len(centres)), key=lambda c, p=point: (math.dist(p, centres[c]), c)) for point in points]
        if nearest == members:
            break
        members = nearest
        for c in range(len(centres)):
            mine = [point for point, member in zip(points, members, strict=True) if member == c]
            if mine:
                centres = [
                    *centres[:c],
                    [statistics.fmean(axis) for axis in zip(*mine, strict=True)],
                    *centres[c + 1 :],
                ]
    return members


def naive_bayes(features, targets, asked, n_values):
    """The likeliest target of each that is asked about, every count beginning at one; the smallest of equals."""
    guesses = []
    for row in asked:
        best = None
        for target in sorted(set(targets)):
            mine = [known for known, t in zip(features, targets, strict=True) if t == target]
            likely = math.log(len(mine) / len(targets))
            for place, value in enumerate(row):
                same = sum(known[place] == value for known in mine)
                likely += math.log((same + 1) / (len(mine) + n_values))
            if best is None or likely > best[0] + 1e-9:
                best = (likely, target)
        assert best is not None
        guesses.append(best[1])
    return guesses


def count_query(originals, published, stands, query):
    """The actual count and the estimate; a query gives, by place in a row, the values asked for.

    ``stands`` gives, by place and published label, the values that the label may stand for.
    """
    act = sum(all(row[place] in values for place, values in query.items()) for row in originals)
    est = 0.0
    for row in published:
        likely = 1.0
        for place, values in query.items():
            may = stands[place].get(row[place], set())
            likely *= len(may & values) / len(may) if may else 0
        est += likely
    return act, est
