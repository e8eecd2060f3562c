"""The individual risk of a sample by its definition, with as many digits as it takes."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb


def expected_inverse(f: int, p: Fraction, *, until: int) -> Fraction:
    """Return E(1/F) of a negative binomial F, summed over F < ``until``: a lower bound that tends to it."""
    q = 1 - p
    return sum((comb(size - 1, f - 1) * p**f * q ** (size - f) / size for size in range(f, until)), Fraction(0))


def individual_risk(f: int, weight: Fraction) -> float:
    """Return p·∫u^(f−1)/(p + qu)du, by partial fractions in so many digits that nothing is lost."""
    if weight <= f:
        return 1 / f
    with localcontext() as context:
        context.prec = 60 + 40 * f
        p = Decimal(f) * weight.denominator / Decimal(weight.numerator)
        q = 1 - p
        # u^(f−1)/(p + qu) = polynomial + (−p/q)^(f−1)/(p + qu)
        total = (-p / q) ** (f - 1) * -p.ln() / q
        for power in range(f - 1):  # the coefficient of u^power
            total += (-p / q) ** (f - 2 - power) / q / (power + 1)
        return float(p * total)


def sample_risks(
    keys: Sequence[Hashable], weights: Sequence[float], persons: Sequence[Hashable] | None = None
) -> list[float]:
    """Return the risk of each record: equal keys are one class, and a person is in it once, with the least weight."""
    persons = range(len(keys)) if persons is None else persons
    lightest: dict[Hashable, dict[Hashable, float]] = defaultdict(dict)
    for key, weight, person in zip(keys, weights, persons, strict=True):
        lightest[key][person] = min(weight, lightest[key].get(person, weight))
    risk = {
        key: individual_risk(len(people), sum(map(Fraction, people.values()), Fraction(0)))
        for key, people in lightest.items()
    }
    return [risk[key] for key in keys]
