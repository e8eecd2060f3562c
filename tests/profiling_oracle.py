"""A first look at data, by the definitions and one record after the other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any


def quantile(values: Sequence[Any], share: Fraction) -> Any:
    """Return the least value that at least this share of the values does not exceed."""
    return min(v for v in values if Fraction(sum(each <= v for each in values), len(values)) >= share)


def ratios(rows: Sequence[tuple[Any, ...]]) -> tuple[Fraction, Fraction]:
    """Return distinction and separation: different rows by rows, and pairs told apart by pairs."""
    pairs = [one != other for one, other in combinations(rows, 2)]
    return Fraction(len(set(rows)), len(rows)), Fraction(sum(pairs), len(pairs)) if pairs else Fraction(1)


def alone(rows: Sequence[tuple[Any, ...]], persons: Sequence[int]) -> int:
    """Return how many people have a row that nobody else has."""
    return len(
        {
            person
            for row, person in zip(rows, persons, strict=True)
            if all(other == person for same, other in zip(rows, persons, strict=True) if same == row)
        }
    )


def minimal_keys(columns: Mapping[str, Sequence[Any]], widest: int) -> set[frozenset[str]]:
    """Return every set of columns that no two rows agree in, without those that have a smaller one inside."""
    found: set[frozenset[str]] = set()
    for width in range(1, widest + 1):
        for names in combinations(columns, width):
            rows = [*zip(*(columns[name] for name in names), strict=True)]
            if len(set(rows)) == len(rows) and not any(key <= set(names) for key in found):
                found.add(frozenset(names))
    return found


def is_function(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether equal values of one column always have equal values of the other."""
    return all(len({b for a, b in zip(one, other, strict=True) if a == value}) == 1 for value in set(one))


def luhn(number: str) -> bool:
    """Return whether a number passes: every second digit from the right doubled, nines cast out."""
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban(number: str) -> bool:
    """Return whether an account number is 1 modulo 97 with its head at the end and letters as two digits."""
    return int("".join(str(int(each, 36)) for each in number[4:] + number[:4])) % 97 == 1


def ratings_of(cells: Sequence[tuple[int, int, int]], users: int, items: int) -> dict[str, Any]:
    """Return counts of ratings by (user, item, rating)."""
    by_item = Counter(item for _, item, _ in cells)
    rare = {item for item, count in by_item.items() if count == 1}
    return {
        "counts": Counter(rating for *_, rating in cells),
        "a_person": sorted(sum(user == each for each, *_ in cells) for user in range(users)),
        "an_item": sorted(by_item[item] for item in range(items)),
        "rated_once": len(rare),
        "people": len({user for user, item, _ in cells if item in rare}),
    }
