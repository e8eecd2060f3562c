"""The individual risk of a sample: how likely a record is re-identified by somebody who knows the population.

*Definition.* f people of the sample have a combination of observable values, and their sampling weights add up to W.
How many people of the population have it, F, is not known. Given f, F is taken to be negative binomial with f successes
and the chance p = f/W: everybody with the combination was drawn with that chance. The risk is the expectation of 1/F,

    r = E(1/F | f) = (p^f / f) · ₂F₁(f, f; f + 1; 1 − p),

and 1/f where W ≤ f, because then the sample has everybody. The risk of a household is 1 − ∏(1 − rᵢ) over its people:
that at least one of them is found.

*Computation.* With q = 1 − p the same number is p·∫₀¹ u^(f−1)/(p + q·u) du. Either it is developed in powers of q,
(p/f)·Σⱼ j!/((f + 1)…(f + j))·qʲ, where all terms are positive and shrink at least by q; or, for small p and f, it is
reached from −p·ln(p)/q for f = 1 by the recurrence I(f + 1) = (1/f − p·I(f))/q, whose errors shrink where p < q.

*Reference.* Benedetti and Franconi, Statistical and technological solutions for controlled data dissemination (1998);
Franconi and Polettini, Individual risk estimation in μ-Argus: a review (2004).
"""

import numpy as np

__all__ = ["household_risks", "individual_risks"]

_LARGE_CHANCE = 0.25
"""From this p on the terms of the series shrink by a quarter each."""
_MANY = 32
"""From this f on they shrink faster than that, whatever p is."""
_TERMS = 160
"""0.75 to this power is below the precision of a double."""


def individual_risks(people: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the risk of a record in each class: by its number of ``people`` and the sum of their ``weights``."""
    f = np.asarray(people, np.float64)
    p = np.minimum(f / np.asarray(weights, np.float64), 1.0)
    risks = np.empty(len(f))
    by_recurrence = (p < _LARGE_CHANCE) & (f < _MANY)
    risks[~by_recurrence] = _by_series(f[~by_recurrence], p[~by_recurrence])
    risks[by_recurrence] = _by_recurrence(f[by_recurrence], p[by_recurrence])
    return np.minimum(risks, 1.0)


def household_risks(risks: np.ndarray, households: np.ndarray) -> np.ndarray:
    """Return for each household, in the order of their numbers, the risk that one of its people is found."""
    _, numbers = np.unique(households, return_inverse=True)
    with np.errstate(divide="ignore"):  # somebody who is found for certain
        none_found = np.bincount(numbers, np.log1p(-risks))
    return -np.expm1(none_found)


def _by_series(f: np.ndarray, p: np.ndarray) -> np.ndarray:
    total, term, q = np.ones_like(f), np.ones_like(f), 1 - p
    for j in range(1, _TERMS):
        term *= q * j / (f + j)
        total += term
        if not (term > np.finfo(np.float64).eps / 4 * total).any():
            break
    return p / f * total


def _by_recurrence(f: np.ndarray, p: np.ndarray) -> np.ndarray:
    q = 1 - p
    integral = -np.log(p) / q
    for step in range(1, _MANY - 1):
        more = f > step
        integral[more] = (1 / step - p[more] * integral[more]) / q[more]
    return p * integral
