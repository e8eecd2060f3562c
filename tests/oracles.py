"""Every definition once more, person by person, in plain Python. Nothing here calls the library to compute anything.

Records are read off the arrays of the data room (codes and outside values); from there on it is lists and loops.
"""

from fractions import Fraction

from shoal.data import Microdata, Ratings, Records
from shoal.models import KAnonymity, KEpsilon, LDiversity, PrivacyModel

Profile = tuple[Fraction | None, ...]


# ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────


def profiles(ratings: Ratings) -> list[Profile]:
    """The non-sensitive ratings of each person, None where there is none."""
    matrix, scale = ratings.observable, ratings.scale
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


def alike(rows) -> list[int]:
    """How many records, itself included, look like each record."""
    return [sum(1 for other in rows if other == one) for one in rows]


def different_values(rows, values) -> list[int]:
    """How many different sensitive values occur among those who look like each record."""
    return [len({v for other, v in zip(rows, values, strict=True) if other == one}) for one in rows]


def violations(records: Records, model: PrivacyModel) -> int:
    """How many people the promise fails."""
    if isinstance(model, KAnonymity):
        return sum(1 for size in alike(observable(records)) if size < model.k)
    if isinstance(model, KEpsilon):
        assert isinstance(records, Ratings)
        near = neighbours(profiles(records), model.epsilon, farthest(records))
        return sum(1 for others in near if others + 1 < model.k)
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
