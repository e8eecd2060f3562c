"""Every measure that does more than count cells, once more, person by person, in plain Python."""

import math
import statistics
from fractions import Fraction
from itertools import pairwise, permutations, product

import oracles


def rows_of(ratings, matrix=None):
    """The ratings of each person, None where there is none."""
    return [list(row) for row in oracles.profiles(ratings, matrix)]


def cost(before, after, scale):
    """Moving a rating by a step costs 1, inventing one three quarters of the span, dropping one half of it."""
    step, span = scale.step, (scale.highest - scale.lowest) / scale.step
    invent, drop = span * Fraction(3, 4), span / 2
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
    """The share of joined pairs among the neighbors of each, averaged."""
    total = 0.0
    for i, one in enumerate(rows):
        near = [other for j, other in enumerate(rows) if j != i and oracles.proximate(one, other, epsilon, r)]
        pairs = [(a, b) for n, a in enumerate(near) for b in near[n + 1 :]]
        joined = sum(oracles.proximate(a, b, epsilon, r) for a, b in pairs)
        total += joined / len(pairs) if pairs else 0
    return total / len(rows)


def lloyd(points, centers, rounds=100):
    """k-means from given centers; the first of equally near ones, and a center without points stays."""
    members = None
    for _ in range(rounds):
        nearest = [min(range(len(centers)), key=lambda c, p=point: (math.dist(p, centers[c]), c)) for point in points]
        if nearest == members:
            break
        members = nearest
        for c in range(len(centers)):
            mine = [point for point, member in zip(points, members, strict=True) if member == c]
            if mine:
                centers = [
                    *centers[:c],
                    [statistics.fmean(axis) for axis in zip(*mine, strict=True)],
                    *centers[c + 1 :],
                ]
    return members


def naive_bayes(features, targets, asked, n_values):
    """The likeliest target of each that is asked about, every count beginning at one; the smallest of equals.

    ``n_values`` is how many values features have, one number for each. A value that nobody known has says nothing.
    """
    guesses = []
    for row in asked:
        best = None
        for target in sorted(set(targets)):
            mine = [known for known, t in zip(features, targets, strict=True) if t == target]
            likely = math.log(len(mine) / len(targets))
            for place, value in enumerate(row):
                if all(known[place] != value for known in features):
                    continue
                same = sum(known[place] == value for known in mine)
                likely += math.log((same + 1) / (len(mine) + n_values[place]))
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


def published_rows(comparison):
    """The published ratings of each person, whether a record stands for one or for several."""
    rows = rows_of(comparison.released)
    places = range(len(rows)) if comparison.places is None else comparison.places.tolist()
    return [rows[place] for place in places]


def distance(given, profile, below) -> Fraction:
    """The squared distance on the rated items; ``below`` is where a null stands."""
    pairs = zip(given, profile, strict=True)
    return sum(((a - (below if b is None else b)) ** 2 for a, b in pairs if a is not None), Fraction(0))


def self_places(before, after, below):
    """For everybody with a rating, how many different profiles are nearer than their own, and how many as near."""
    profiles = {tuple(row) for row in after}
    found = []
    for given, own in zip(before, after, strict=True):
        if any(rating is not None for rating in given):
            mine = distance(given, own, below)
            others = [distance(given, profile, below) for profile in profiles - {tuple(own)}]
            found.append((sum(other < mine for other in others), sum(other == mine for other in others)))
    return found, len(profiles)


def raters(rows) -> list[int]:
    """How many people rated each item."""
    return [sum(rating is not None for rating in item) for item in zip(*rows, strict=True)]


def spearman(one, other) -> float:
    """The correlation of ranks, ties in the middle of theirs."""

    def ranks(values):
        return [sum(v < value for v in values) + (values.count(value) + 1) / 2 for value in values]

    return statistics.correlation(ranks(one), ranks(other))


def rating_histogram(rows, points) -> list[int]:
    """How many cells are null, and how many are nearest to each point, the higher of two."""
    counts = [0] * (len(points) + 1)
    for rating in (rating for row in rows for rating in row):
        nearest = None if rating is None else min(points, key=lambda point, r=rating: (abs(point - r), -point))
        counts[0 if nearest is None else points.index(nearest) + 1] += 1
    return counts


def ndcg(steps, told, places=10) -> float:
    """The average over all orders that the published values allow; the highest first, null last."""

    def value(order) -> float:
        return sum((2 ** steps[item] - 1) / math.log2(place + 2) for place, item in enumerate(order[:places]))

    keys = [-math.inf if rating is None else rating for rating in told]
    orders = [order for order in permutations(range(len(steps))) if all(keys[a] >= keys[b] for a, b in pairwise(order))]
    best = sorted(range(len(steps)), key=lambda item: -steps[item])
    return statistics.fmean(value(order) for order in orders) / value(best)


def posterior(p: Fraction, k: int) -> Fraction:
    """The chance that the first of k rated, given that one of them did: every way that it may be, added up."""
    ways = [sum(rated) for rated in product((0, 1), repeat=k) if rated[0]]
    first = sum((p**n * (1 - p) ** (k - n) for n in ways), Fraction(0))
    anybody = sum((p ** sum(r) * (1 - p) ** (k - sum(r)) for r in product((0, 1), repeat=k) if any(r)), Fraction(0))
    return first / anybody


def highest_posterior(before, after):
    """Over all published people and all items of theirs that somebody rated; None where there is none."""
    shares = [Fraction(count, len(before)) for count in raters(before)]
    found = [
        share / (1 - (1 - share) ** after.count(row))
        for row in after
        for share, rating in zip(shares, row, strict=True)
        if rating is not None and share > 0
    ]
    return max(found, default=None)


def kept_and_lost(whole, told, span):
    """The shares of ratings with something in their place and of those published unmoved, and the loss.

    ``told`` has for each person what is published, or None for those withheld.
    """
    given = there = unmoved = 0
    loss = Fraction(0)
    for mine, published in zip(whole, told, strict=True):
        for rating, now in zip(mine, published or [None] * len(mine), strict=True):
            if rating is not None:
                given += 1
                there += now is not None
                unmoved += now == rating
                loss += 1 if now is None else abs(now - rating) / span
    return (there / given, unmoved / given, loss / given) if given else (1.0, 1.0, 0.0)


def alone_as_they_were(before, after) -> float:
    """The share of those published as they were whose record nobody else has."""
    rows = [tuple(row) for row in after]
    return sum(tuple(one) == row and rows.count(row) == 1 for one, row in zip(before, rows, strict=True)) / len(rows)
