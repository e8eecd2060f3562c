"""What attackers conclude from those who look alike, person by person; nothing here calls the library to compute it."""

from collections import Counter
from fractions import Fraction

import oracles
from shoal.attacks import Exposure
from shoal.data import Microdata, Ratings

NOT_RATED = object()
"""A rating that was not given is no value; a missing value of a table is one."""


def names(exposure: Exposure) -> list[str]:
    if isinstance(exposure.truth, Ratings):
        return exposure.truth.sensitive.items.values.to_list()
    assert isinstance(exposure.truth, Microdata)
    return [column.name for column in exposure.truth.columns if column.role == "sensitive"]


def values(records: Ratings | Microdata, name: str) -> list:
    """The sensitive value of each record."""
    if isinstance(records, Ratings):
        item = records.sensitive.items.values.to_list().index(name)
        ratings = [row[item] for row in oracles.profiles(records, records.sensitive)]
        if records.scale.lowest == records.scale.highest:  # of sets it is known who has the item, and who has not
            return [int(rating is not None) for rating in ratings]
        return [NOT_RATED if rating is None else rating for rating in ratings]
    column = next(column for column in records.columns if column.name == name)
    words = column.vocabulary.values.to_list()
    return [words[code] for code in column.codes.tolist()]


def candidates(exposure: Exposure, within: Fraction) -> list[list[int]]:
    """For each published person, the rows of those who cannot be told from them."""
    seen = exposure.seen
    rows = oracles.observable(seen)
    found = []
    for own in exposure.place.tolist():
        if own < 0:
            continue
        if isinstance(seen, Ratings):
            r = oracles.farthest(seen)
            found.append([at for at, row in enumerate(rows) if oracles.proximate(rows[own], row, within, r)])
        else:
            found.append([at for at, row in enumerate(rows) if row == rows[own]])
    return found


def concluded(exposure: Exposure, name: str, within: Fraction) -> list[tuple[object, list, list]]:
    """For each target the true value, the values of those who look alike, and the values of all."""
    true, seen = values(exposure.truth, name), values(exposure.seen, name)  # type: ignore[arg-type]
    everybody = [value for value in seen if value is not NOT_RATED]
    published = [row for row, place in enumerate(exposure.place.tolist()) if place >= 0]
    out = []
    for row, alike in zip(published, candidates(exposure, within), strict=True):
        if true[row] is not NOT_RATED:
            out.append((true[row], [seen[at] for at in alike if seen[at] is not NOT_RATED], everybody))
    return out if everybody else []


def guess(value: object, among: list) -> float:
    """The chance that the most frequent of them is this value."""
    counts = Counter(among)
    winners = [each for each in counts if counts[each] == max(counts.values())]
    return 1 / len(winners) if value in winners else 0.0


def share(value: object, among: list) -> float:
    return among.count(value) / len(among)


def total_variation(some: list, everybody: list) -> float:
    return sum(abs(share(value, some) - share(value, everybody)) for value in set(everybody)) / 2


def ordered_distance(some: list, everybody: list, line: list) -> float:
    """Earth mover's distance where the values of a line are a step apart, and its ends 1."""
    below = [(share_below(some, value), share_below(everybody, value)) for value in line[:-1]]
    return sum(abs(one - other) for one, other in below) / max(len(line) - 1, 1)


def share_below(among: list, value) -> float:
    return sum(each <= value for each in among) / len(among)
