"""The audit of insensitive columns once more, person by person, in plain Python."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, factorial

Rows = Sequence[Sequence[object]]
"""One list a column, one value a record."""


def people_in(classes: Sequence[object], persons: Sequence[object]) -> list[int]:
    """For each record, how many different people are in its class."""
    return [len({p for c, p in zip(classes, persons, strict=True) if c == one}) for one in classes]


def in_small_classes(columns: Rows, persons: Sequence[object], k: int) -> int:
    sizes = people_in(list(zip(*columns, strict=True)), persons)
    return len({person for person, size in zip(persons, sizes, strict=True) if size < k})


def reveal(columns: Rows, persons: Sequence[object], k: int) -> bool:
    return bool(columns) and 100 * in_small_classes(columns, persons, k) > len(set(persons))


def takes_part(columns: Rows, at: int, persons: Sequence[object], k: int) -> bool:
    """Whether some of the other columns do not reveal, and do so with this one."""
    others = [column for i, column in enumerate(columns) if i != at]
    return any(
        reveal([*some, columns[at]], persons, k) and not reveal(some, persons, k)
        for size in range(len(others) + 1)
        for some in combinations(others, size)
    )


def determined_by_value(one: Sequence[object], other: Sequence[object]) -> dict[object, object]:
    """What each value tells by itself."""
    published = {}
    for value in set(one):
        partners = Counter(b for a, b in zip(one, other, strict=True) if a == value)
        carried = sum(partners.values())
        most = max(partners.values())
        leading = min((b for b, count in partners.items() if count == most), key=repr)
        exceptions = carried - most
        expected = carried * sum(b != leading for b in other) / len(other)
        if exceptions <= carried / 20 and exceptions <= expected / 10 and expected >= 10:
            published[value] = leading
    return published


def determines_as_a_whole(one: Sequence[object], other: Sequence[object]) -> bool:
    """Guess everybody's value from the others who share the first one, and from everybody."""
    usual = Counter(other).most_common(1)[0][1]
    usually = {b for b, count in Counter(other).items() if count == usual}
    guessed = wrong = 0
    without: dict[object, int] = dict.fromkeys(usually, 0)
    for i, (a, b) in enumerate(zip(one, other, strict=True)):
        others = Counter(other[j] for j in range(len(one)) if j != i and one[j] == a)
        if not others:
            continue
        guessed += 1
        best = [value for value, count in others.items() if count == max(others.values())]
        wrong += best != [b]
        for value in usually:
            without[value] += b != value
    # of values that are equally usual the first in order is the guess
    expected = without[min(usually, key=repr)]
    return 20 * wrong <= guessed and 10 * wrong <= expected and expected >= 5 and 10 * guessed >= len(one)


def left_by_reading(groups, persons, read, known, published, right) -> list[int]:
    """Candidates of the person behind each record, where what is read tells what is known."""
    left = []
    for t in range(len(groups)):
        certain, maybe = set(), set()
        for r in range(len(groups)):
            if groups[r] != groups[t]:
                continue
            says = published.get(read[r])
            if says is None or not right(says, known[r]):
                maybe.add(persons[r])
            elif says == known[t]:
                certain.add(persons[r])
        group = {persons[r] for r in range(len(groups)) if groups[r] == groups[t]}
        left.append(min(len(certain) + len(maybe), len(group)))
    return left


def left_by_knowing(groups, persons, read, known, published) -> list[int]:
    """Candidates of the person behind each record, where what is known tells what is read."""
    left = []
    for t in range(len(groups)):
        here = [r for r in range(len(groups)) if groups[r] == groups[t]]
        if published.get(known[t]) == read[t] and known[t] in published:
            here = [r for r in here if read[r] == read[t]]
        left.append(len({persons[r] for r in here}))
    return left


def determined_range(one: Sequence[object], ranks: Sequence[int], value: object) -> tuple[int, int] | None:
    """The range that a value tells; None if it tells none."""
    carried = sorted(rank for a, rank in zip(one, ranks, strict=True) if a == value)
    aside = len(carried) // 40
    kept = carried[aside : len(carried) - aside]
    low, high = kept[0], kept[-1]
    outside = sum(not low <= rank <= high for rank in carried)
    expected = len(carried) * sum(not low <= rank <= high for rank in ranks) / len(ranks)
    return (low, high) if outside <= expected / 10 and expected >= 10 else None


def parts(one: Sequence[object], other: Sequence[object]) -> list[set[tuple[int, object]]]:
    """The parts of what two columns have in common, each with values of both."""
    pairs = Counter(zip(one, other, strict=True))
    sides = Counter(one), Counter(other)
    found: list[set[tuple[int, object]]] = [{(0, a)} for a in sides[0]] + [{(1, b)} for b in sides[1]]
    for (a, b), count in pairs.items():
        if 20 * count <= sides[0][a] and 20 * count <= sides[1][b]:
            continue
        touched = [part for part in found if (0, a) in part or (1, b) in part]
        found = [part for part in found if part not in touched] + [set().union(*touched)]
    return found


def determined_within_stratum(
    strata: Sequence[object], one: Sequence[object], other: Sequence[object]
) -> dict[object, object]:
    """What each (stratum, value) tells: because all of the stratum do, or by itself."""
    published: dict[object, object] = {}
    both = list(zip(strata, one, strict=True))
    for pair in set(both):
        partners = Counter(b for a, b in zip(both, other, strict=True) if a == pair)
        carried, (mode, most) = sum(partners.values()), min(partners.items(), key=lambda item: (-item[1], item[0]))
        expected = carried * sum(b != mode for b in other) / len(other)
        if 20 * (carried - most) <= carried and 10 * (carried - most) <= expected and expected >= 20:
            published[pair] = mode
    for stratum in set(strata):
        rows = [i for i, each in enumerate(strata) if each == stratum]
        guessed = [i for i in rows if sum(both[j] == both[i] for j in rows) > 1]
        wrong = 0
        for i in guessed:
            others = Counter(other[j] for j in rows if j != i and both[j] == both[i])
            best = [value for value, count in others.items() if count == max(others.values())]
            wrong += best != [other[i]]
        usual = max(Counter(other[i] for i in guessed).values(), default=0)
        expected = len(guessed) - usual
        if 20 * wrong <= len(guessed) and 10 * wrong <= expected and expected >= 20 and 10 * len(guessed) >= len(rows):
            for i in rows:
                partners = Counter(other[j] for j in rows if both[j] == both[i])
                published[both[i]] = min(partners.items(), key=lambda item: (-item[1], item[0]))[0]
    return published


def excluded(one: Sequence[int], other: Sequence[int]) -> set[tuple[int, int]]:
    """Which pairs of values exclude each other."""
    n, absent, by_chance = len(one), {}, 0.0
    for a in range(max(one) + 1):
        for b in range(max(other) + 1):
            expected = Fraction(one.count(a) * other.count(b), n)
            if expected < 3:
                continue
            mean = float(expected)
            by_chance += sum(exp(-mean) * mean**i / factorial(i) for i in range(int(expected / 10) + 1))
            if 10 * sum(pair == (a, b) for pair in zip(one, other, strict=True)) <= expected:
                absent[a, b] = expected
    many = len(absent) >= 5 and len(absent) >= 10 * by_chance
    return {pair for pair, expected in absent.items() if many or expected >= 20}


def left_by_exclusion(groups, persons, read, known, pairs) -> list[int]:
    """Candidates of the person behind each record, where values exclude each other."""
    rows = range(len(groups))
    return [
        len(
            {
                persons[r]
                for r in rows
                if groups[r] == groups[t] and ((known[r], read[r]) in pairs or (known[t], read[r]) not in pairs)
            }
        )
        for t in rows
    ]
