"""Every definition once more, person by person, in plain Python. Nothing here calls the library to compute anything.

Records are read off the arrays of the data room (codes and outside values); from there on it is lists and loops.
"""

from fractions import Fraction
from itertools import combinations

from shoal.data import Microdata, RatingMatrix, Ratings, Records
from shoal.models import BLDiversity, KAnonymity, KEpsilon, LDiversity, PrivacyModel

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
    assert isinstance(records, Microdata)
    return tuples(records)


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


def neighbours(rows, epsilon, r) -> list[int]:
    """How many others are within epsilon of each."""
    return [
        sum(1 for j in range(len(rows)) if j != i and proximate(rows[i], rows[j], epsilon, r)) for i in range(len(rows))
    ]


def largest_k(rows, epsilon, r) -> int:
    return min(neighbours(rows, epsilon, r)) + 1


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


def broken_neighbourhoods(ratings: Ratings, model: KEpsilon) -> int:
    rows, secrets, r = profiles(ratings), sensitive_profiles(ratings), farthest(ratings)
    broken = 0
    for one in rows:
        near = [j for j, other in enumerate(rows) if proximate(one, other, model.epsilon, r)]
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


def fewest_left_over(ratings: Ratings, model: KEpsilon) -> int:
    """How few people are in parts that are too small or too alike, over all partitions."""
    secrets, r = sensitive_profiles(ratings), farthest(ratings)
    return min(
        sum(
            len(part)
            for part in parts
            if len(part) < model.k or not spreads_enough([secrets[j] for j in part], model, r)
        )
        for parts in splits(ratings, model.epsilon)
    )


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


def violations(records: Records, model: PrivacyModel) -> int:
    """How many people the promise fails."""
    if isinstance(model, KAnonymity):
        return sum(1 for size in alike(observable(records)) if size < model.k)
    if isinstance(model, KEpsilon):
        assert isinstance(records, Ratings)
        if model.semantics == "partition":
            return fewest_left_over(records, model)
        return broken_neighbourhoods(records, model)
    if isinstance(model, BLDiversity):
        return sum(1 for number in fewest_profiles(observable(records), model.b) if number < model.l)
    assert isinstance(model, LDiversity)
    assert isinstance(records, Microdata)
    rows = tuples(records)
    sensitive = [c.values.to_list() for c in records.columns if c.role == "sensitive"]
    fewest = [different_values(rows, values) for values in sensitive]
    return sum(1 for row in range(len(rows)) if min(counts[row] for counts in fewest) < model.l)


def holds(records: Records, model: PrivacyModel) -> bool:
    return violations(records, model) == 0


# ── utility and truthfulness ──────────────────────────────────────────────────────────────────────────────────────


def discernability(rows, withheld: int) -> int:
    return sum(alike(rows)) + withheld * (len(rows) + withheld)


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
