"""Every definition once more, person by person, in plain Python. Nothing here calls the library to compute anything.

Records are read off the arrays of the data room (codes and outside values); from there on it is lists and loops.
"""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import polars as pl

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role, Survey
from shoal.models import (
    BLDiversity,
    KAnonymity,
    KEpsilon,
    KmAnonymity,
    LDiversity,
    PAlphaSensitive,
    PPlusAlphaSensitive,
    PPlusSensitive,
    PrivacyModel,
    PSensitive,
    TCloseness,
)

Profile = tuple[Fraction | None, ...]


# ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────


def profiles(ratings: Ratings, matrix: RatingMatrix | None = None) -> list[Profile]:
    """The non-sensitive ratings of each person, None where there is none."""
    matrix, scale = matrix or ratings.observable, ratings.scale
    out = []
    for person in range(len(matrix.indptr) - 1):
        row: list[Fraction | None] = [None] * len(matrix.items)
        for place in range(int(matrix.indptr[person]), int(matrix.indptr[person + 1])):
            row[int(matrix.indices[place])] = scale.lowest + int(matrix.codes[place]) * scale.step
        out.append(tuple(row))
    return out


def tuples(table: Microdata) -> list[tuple]:
    """The quasi-identifiers of each person."""
    columns = [column.vocabulary.values.to_list() for column in table.columns if column.role == "quasi-identifier"]
    codes = [column.codes.tolist() for column in table.columns if column.role == "quasi-identifier"]
    return [tuple(c[k[row]] for c, k in zip(columns, codes, strict=True)) for row in range(len(table))]


def observable(records: Records) -> list[tuple]:
    if isinstance(records, Ratings):
        return profiles(records)
    if isinstance(records, Survey):
        return list(zip(tuples(records.table), profiles(records.ratings), strict=True))
    assert isinstance(records, Microdata)
    return tuples(records)


def answers(records: Records) -> Ratings:
    """The ratings of people, of whom more may be known."""
    ratings = records.ratings if isinstance(records, Survey) else records
    assert isinstance(ratings, Ratings)
    return ratings


def sensitive_columns(records: Records) -> list[Column]:
    """The sensitive columns; of a survey also the sensitive answers that somebody gave, a missing one being a value."""
    if not isinstance(records, Survey):
        assert isinstance(records, Microdata)
        return [column for column in records.columns if column.role == "sensitive"]
    issues = zip(*sensitive_profiles(records.ratings), strict=True)
    floats = [[None if rating is None else float(rating) for rating in issue] for issue in issues]
    given = [Column.encode("answer", Role.SENSITIVE, pl.Series(issue, dtype=pl.Float64)) for issue in floats]
    return sensitive_columns(records.table) + given


def farthest(ratings: Ratings) -> Fraction:
    """The distance between a rating and none: r on 1…r, one step more than the span on any other scale."""
    return ratings.scale.highest - ratings.scale.lowest + ratings.scale.step


# ── promises ──────────────────────────────────────────────────────────────────────────────────────────────────────


def dissimilarity(a, b, r):
    if a is None and b is None:
        return 0
    if a is None or b is None:
        return r
    return abs(a - b)


def proximate(one, other, epsilon, r) -> bool:
    return all(dissimilarity(a, b, r) <= epsilon for a, b in zip(one, other, strict=True))


def neighbors(rows, epsilon, r) -> list[int]:
    """How many others are within epsilon of each."""
    return [
        sum(1 for j in range(len(rows)) if j != i and proximate(rows[i], rows[j], epsilon, r)) for i in range(len(rows))
    ]


def asks_nothing(rows, epsilon, lowest, highest, r) -> bool:
    """Whether no two records with these gaps can be further apart than ε, however the ratings given are changed."""
    ends = [[[None] if rating is None else [lowest, highest] for rating in row] for row in rows]
    return all(
        dissimilarity(a, b, r) <= epsilon
        for one, other in combinations(ends, 2)
        for mine, theirs in zip(one, other, strict=True)
        for a in mine
        for b in theirs
    )


def largest_k(rows, epsilon, r) -> int:
    return min(neighbors(rows, epsilon, r)) + 1


def sensitive_profiles(ratings: Ratings) -> list[Profile]:
    """The sensitive ratings of each person, None where there is none; issues that nobody rated are no issues."""
    rows = profiles(ratings, ratings.sensitive)
    rated = [issue for issue in zip(*rows, strict=True) if any(rating is not None for rating in issue)]
    return list(zip(*rated, strict=True)) if rated else [()] * len(rows)


def squared_spread(values, reading: str | None, all_null: str | None, r):
    """The square of the spread of one sensitive issue in one group; None where anything is accepted."""
    given = [value for value in values if value is not None]
    if reading == "pairwise":
        total = Fraction(0)
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                if i != j:
                    total += (r if a is None or b is None else a - b) ** 2
        return total / (2 * len(values) ** 2)
    if not given:
        return None if all_null == "accept" else Fraction(0)
    mean = sum(given, Fraction(0)) / len(given)
    deviations = sum(((value - mean) ** 2 for value in given), Fraction(0))
    if reading == "non-null":
        return deviations / len(given)
    if reading == "over-all":
        return deviations / len(values)
    assert reading == "null-as-zero"
    return (deviations + (len(values) - len(given)) * mean**2) / len(values)


def least_squared_spread(people, model: KEpsilon, r):
    """The smallest squared spread of any sensitive issue among some people; None where anything is accepted."""
    spreads = [squared_spread(issue, model.spread, model.all_null, r) for issue in zip(*people, strict=True)]
    return min((spread for spread in spreads if spread is not None), default=None)


def spreads_enough(people, model: KEpsilon, r) -> bool:
    if model.l is None:
        return True
    least = least_squared_spread(people, model, r)
    return least is None or least >= model.l**2


def who_is_near(records: Records, epsilon) -> list[list[bool]]:
    """For every two people whether they are within epsilon; in a survey, and of equal demographics."""
    rows, r = profiles(answers(records)), farthest(answers(records))
    known = tuples(records.table) if isinstance(records, Survey) else [()] * len(rows)
    people = range(len(rows))
    return [[known[a] == known[b] and proximate(rows[a], rows[b], epsilon, r) for b in people] for a in people]


def broken_neighborhoods(records: Records, model: KEpsilon) -> int:
    secrets, r = sensitive_profiles(answers(records)), farthest(answers(records))
    broken = 0
    for row in who_is_near(records, model.epsilon):
        near = [j for j, is_near in enumerate(row) if is_near]
        broken += len(near) < model.k or not spreads_enough([secrets[j] for j in near], model, r)
    return broken


def partitions(things: list[int], near):
    """Every way to split a list into parts whose members are mutually near."""
    if not things:
        yield []
        return
    first, rest = things[0], things[1:]
    for chosen in range(2 ** len(rest)):
        part = [first] + [thing for place, thing in enumerate(rest) if chosen >> place & 1]
        if all(near[a][b] for a in part for b in part):
            left = [thing for place, thing in enumerate(rest) if not chosen >> place & 1]
            for others in partitions(left, near):
                yield [part, *others]


def splits(ratings: Ratings, epsilon):
    """Every partition of the people into parts that are pairwise within epsilon."""
    rows, r = profiles(ratings), farthest(ratings)
    near = [[proximate(one, other, epsilon, r) for other in rows] for one in rows]
    yield from partitions(list(range(len(rows))), near)


def fewest_left_over(records: Records, model: KEpsilon) -> int:
    """How few people are in parts that are too small or too alike, over all partitions into parts within epsilon.

    The part of the first person is any set of people that are mutually near; what the others must leave over does not
    depend on it, so it is asked once for each set of people who are left.
    """
    secrets, r = sensitive_profiles(answers(records)), farthest(answers(records))
    near = who_is_near(records, model.epsilon)

    @cache
    def left_over(part: tuple[int, ...]) -> int | None:
        if not all(near[a][b] for a in part for b in part):
            return None
        bad = len(part) < model.k or not spreads_enough([secrets[j] for j in part], model, r)
        return len(part) if bad else 0

    @cache
    def fewest(people: tuple[int, ...]) -> int:
        if not people:
            return 0
        found = len(people)
        first, rest = people[0], people[1:]
        for size in range(len(rest) + 1):
            for others in combinations(rest, size):
                cost = left_over((first, *others))
                if cost is not None and cost < found:
                    found = min(found, cost + fewest(tuple(j for j in rest if j not in others)))
        return found

    return fewest(tuple(range(len(near))))


def alike(rows) -> list[int]:
    """How many records, itself included, look like each record."""
    return [sum(1 for other in rows if other == one) for one in rows]


def different_values(rows, values) -> list[int]:
    """How many different sensitive values occur among those who look like each record."""
    return [len({v for other, v in zip(rows, values, strict=True) if other == one}) for one in rows]


def fewest_profiles(rows, b: int) -> list[int]:
    """For each person, how many different profiles hold the set of at most b of their items that the fewest do."""
    different = [[place for place, rating in enumerate(row) if rating is not None] for row in set(rows)]
    fewest = []
    for row in rows:
        mine = [place for place, rating in enumerate(row) if rating is not None]
        known = [some for size in range(b + 1) for some in combinations(mine, size)]
        fewest.append(min(sum(all(place in held for place in some) for held in different) for some in known))
    return fewest


def fewest_people(rows, m: int) -> list[int]:
    """For each person, how many people hold the set of at most m of their items that the fewest do."""
    held = [{place for place, rating in enumerate(row) if rating is not None} for row in rows]
    known = [[set(some) for size in range(m + 1) for some in combinations(sorted(mine), size)] for mine in held]
    return [min(sum(some <= other for other in held) for some in sets) for sets in known]


def fewest_of_class(survey: Survey, m: int) -> list[int]:
    """For each person, how many people of equal demographics hold the rarest set of at most m of their items."""
    known, rows = tuples(survey.table), profiles(survey.ratings)
    held = [{place for place, rating in enumerate(row) if rating is not None} for row in rows]
    return [
        min(
            sum(1 for other, theirs in zip(known, held, strict=True) if other == mine and set(some) <= theirs)
            for size in range(m + 1)
            for some in combinations(sorted(items), size)
        )
        for mine, items in zip(known, held, strict=True)
    ]


def violations(records: Records, model: PrivacyModel) -> int:
    """How many people the promise fails."""
    if isinstance(records, Survey) and model.part is not None:
        return violations(records.table if model.part == "demographics" else records.ratings, replace(model, part=None))
    if isinstance(model, KAnonymity):
        return sum(1 for size in alike(observable(records)) if size < model.k)
    if isinstance(model, KEpsilon):
        if model.semantics == "partition":
            return fewest_left_over(records, model)
        return broken_neighborhoods(records, model)
    if isinstance(model, BLDiversity):
        return sum(1 for number in fewest_profiles(observable(records), model.b) if number < model.l)
    if isinstance(model, KmAnonymity):
        if isinstance(records, Survey):
            return sum(1 for number in fewest_of_class(records, model.m) if number < model.k)
        return sum(1 for number in fewest_people(observable(records), model.m) if number < model.k)
    return sum(1 for row in range(len(records)) if not keeps(records, row, model))


def keeps(records: Records, person: int, model: PrivacyModel) -> bool:
    """Whether every sensitive attribute is as the promise says among those who look like a person."""
    rows = observable(records)
    alike_ones = [other for other, row in enumerate(rows) if row == rows[person]]
    if len(alike_ones) < (getattr(model, "k", None) or 0):
        return False
    return all(attribute_keeps(column, alike_ones, model) for column in sensitive_columns(records))


def attribute_keeps(column: Column, people: list[int], model: PrivacyModel) -> bool:
    everybody = column.values.to_list()
    values = [everybody[person] for person in people]
    if isinstance(model, LDiversity):
        return diverse(values, model)
    if isinstance(model, TCloseness):
        return earth_movers(values, everybody, value_distance(column, model.distance)) <= model.t
    if isinstance(model, PSensitive):
        return len(set(values)) >= model.p
    categories = [category(column, value) for value in values]
    known = [number for number in categories if number is not None]
    if isinstance(model, PPlusSensitive):
        return len(set(known)) >= model.p
    weight = sum((category_weight(number, len(column.categories)) for number in known), Fraction(0))
    if isinstance(model, PAlphaSensitive):
        return len(set(values)) >= model.p and weight >= model.alpha
    assert isinstance(model, PPlusAlphaSensitive)
    return len(set(known)) >= model.p and weight >= model.alpha


def category(column: Column, value) -> int | None:
    """The category a value was sorted into, by what it is called; numbers by what they mean."""
    if value is None:
        return None
    named = {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else value
    for number, words in enumerate(column.categories):
        for word in words:
            if isinstance(named, int | float):
                if word[-1:].isdigit() and Fraction(word) == Fraction(str(named)):
                    return number
            elif word == str(named):
                return number
    raise AssertionError("every value is in a category")


def category_weight(number: int, m: int) -> Fraction:
    """Equation 3.1, the most sensitive category being number 0; the only one weighs nothing."""
    return Fraction(number, m - 1) if m > 1 else Fraction(0)


def diverse(values, model: LDiversity) -> bool:
    counts = sorted((values.count(value) for value in set(values)), reverse=True)
    if model.kind == "distinct":
        return len(counts) >= model.l
    if model.kind == "recursive":
        assert model.c is not None
        return counts[0] < model.c * sum(counts[int(model.l) - 1 :])
    left, right = 1, 1  # exp(n·entropy) = n^n / (c1^c1 · c2^c2 · …) ≥ l^n
    for count in counts:
        left, right = left * len(values) ** count, right * count**count
    return left >= right * Fraction(model.l) ** len(values)


def value_distance(column: Column, distance: str):
    """How far two values of a column are apart."""
    if distance == "equal":
        return lambda a, b: Fraction(a != b)
    if distance == "hierarchical":
        hierarchy, known = column.hierarchy, column.vocabulary.values.to_list()
        assert hierarchy is not None

        def apart(a, b):
            one, other = known.index(a), known.index(b)
            level = next(at for at, codes in enumerate(hierarchy.maps) if codes[one] == codes[other])
            return Fraction(level, max(len(hierarchy.maps) - 1, 1))

        return apart
    occurring = set(column.values.to_list())
    given = [value for value in occurring if value is not None]
    if column.vocabulary.is_ordered:
        order = sorted(given)
    else:
        words = [word for words in column.categories for word in words]
        order = sorted(given, key=lambda value: words.index(str(value).lower() if isinstance(value, bool) else value))
    order = [None, *order] if None in occurring else order
    return lambda a, b: Fraction(abs(order.index(a) - order.index(b)), max(len(order) - 1, 1))


def earth_movers(values, everybody, distance) -> Fraction:
    """The least work that turns the distribution of some values into that of everybody, as a transport problem."""
    kinds = list(dict.fromkeys(everybody))
    surplus = [
        Fraction(values.count(kind), len(values)) - Fraction(everybody.count(kind), len(everybody)) for kind in kinds
    ]
    supply = [(kind, amount) for kind, amount in zip(kinds, surplus, strict=True) if amount > 0]
    demand = [(kind, -amount) for kind, amount in zip(kinds, surplus, strict=True) if amount < 0]
    return cheapest_transport(supply, demand, distance)


def cheapest_transport(supply, demand, distance) -> Fraction:
    """Send along the shortest way that is left, which may take back what was sent, until everything is sent."""
    left, open_ = [amount for _, amount in supply], [amount for _, amount in demand]
    sent = [[Fraction(0)] * len(demand) for _ in supply]
    cost = [[distance(a, b) for b, _ in demand] for a, _ in supply]
    while any(left):
        # ways to suppliers cost nothing at first; each round of looking may find shorter ones
        to_supply = [Fraction(0) if amount else None for amount in left]
        to_demand: list[Fraction | None] = [None] * len(demand)
        before_supply: list[int | None] = [None] * len(supply)
        before_demand: list[int] = [0] * len(demand)
        for _ in range(len(supply) + len(demand)):
            for i, so_far in enumerate(to_supply):
                for j in range(len(demand)):
                    if so_far is not None and (to_demand[j] is None or so_far + cost[i][j] < to_demand[j]):
                        to_demand[j], before_demand[j] = so_far + cost[i][j], i
            for j, so_far in enumerate(to_demand):
                for i in range(len(supply)):
                    back = to_supply[i]
                    if so_far is not None and sent[i][j] and (back is None or so_far - cost[i][j] < back):
                        to_supply[i], before_supply[i] = so_far - cost[i][j], j
        end = min((j for j, amount in enumerate(open_) if amount), key=lambda j: to_demand[j] or Fraction(0))
        way, j = [], end
        while True:
            i = before_demand[j]
            way.append((i, j))
            back_to = before_supply[i]
            if back_to is None:
                break
            way.append((i, back_to))
            j = back_to
        amount = min(left[way[-1][0]], open_[end], *(sent[i][j] for i, j in way[1::2]))
        for at, (i, j) in enumerate(way):
            sent[i][j] += amount if at % 2 == 0 else -amount
        left[way[-1][0]] -= amount
        open_[end] -= amount
    return sum((sent[i][j] * cost[i][j] for i in range(len(supply)) for j in range(len(demand))), Fraction(0))


def holds(records: Records, model: PrivacyModel) -> bool:
    return violations(records, model) == 0


# ── utility and truthfulness ──────────────────────────────────────────────────────────────────────────────────────


def discernability(rows, withheld: int) -> int:
    return sum(alike(rows)) + withheld * (len(rows) + withheld)


def weighted_discernability(whole, origins, told, weights):
    """Whole has the original tuples, told the published ones; a withheld record is told apart from nobody."""
    published = dict(zip(origins, told, strict=True))

    def cost(one, other):
        if one in published and (other not in published or published[one] != published[other]):
            return 0
        return sum(w for w, a, b in zip(weights, whole[one], whole[other], strict=True) if a != b)

    people = range(len(whole))
    return sum(cost(one, other) for one in people for other in people) / sum(weights)


def average_group_size(rows) -> float:
    return len(rows) / len(set(rows))


def cells_changed(before, after) -> int:
    """Cells that were and are given, and differ."""
    return sum(a is not None and b is not None and a != b for a, b in _cells(before, after))


def invented(before, after) -> int:
    return sum(a is None and b is not None for a, b in _cells(before, after))


def dropped(before, after) -> int:
    return sum(a is not None and b is None for a, b in _cells(before, after))


def rating_distortion(before, after, scale):
    """The sum of differences, where a missing rating stands one step below the lowest."""
    nothing = scale.lowest - scale.step
    return sum(abs((nothing if a is None else a) - (nothing if b is None else b)) for a, b in _cells(before, after))


def table_distortion(before: list[list], after: list[list]) -> float:
    """Columns before and after: for each cell, how many of the column's values share its label, as a share."""
    total = 0.0
    for old, new in zip(before, after, strict=True):
        if len(set(old)) < 2:
            continue
        for label in new:
            covered = {value for value, told in zip(old, new, strict=True) if told == label}
            total += (len(covered) - 1) / (len(set(old)) - 1)
    return total


def _cells(before, after):
    for one, other in zip(before, after, strict=True):
        yield from zip(one, other, strict=True)


# ── what columns tell of each other ───────────────────────────────────────────────────────────────────────────────


def information(rows) -> float:
    """The expected surprise in bits over what records look like."""
    return sum(times / len(rows) * math.log2(len(rows) / times) for times in Counter(rows).values())


def unknown(column, given) -> float:
    """The expected surprise of one column among those alike in another."""
    total = 0.0
    for value in set(given):
        among = [mine for mine, theirs in zip(column, given, strict=True) if theirs == value]
        total += len(among) / len(given) * information(among)
    return total


def variation(one, other) -> float:
    return unknown(one, other) + unknown(other, one)


def lightest_tree(weights) -> float:
    """The weight of the lightest set of edges that joins all vertices, of all sets of so many edges."""
    n = len(weights)
    trees = combinations(combinations(range(n), 2), n - 1)
    return min(sum(weights[i][j] for i, j in tree) for tree in trees if _joins(tree, n))


def _joins(edges, n: int) -> bool:
    reached = {0}
    for _ in range(n):
        reached |= {end for edge in edges if reached & set(edge) for end in edge}
    return len(reached) == n


def fewest_keys(tree, n: int) -> int:
    """How many of the highest degrees add up to the number of vertices."""
    degrees = sorted((sum(v in edge for edge in tree) for v in range(n)), reverse=True)
    return next(k for k in range(1, n + 1) if sum(degrees[:k]) >= n)


def bin_by_frequency(values, value, bins: int) -> int:
    """The bin of a value: how many bins lie below the middle one of its records."""
    lower, alike_ = sum(v < value for v in values), sum(v == value for v in values)
    return math.floor(bins * (lower + Fraction(alike_, 2)) / len(values))
