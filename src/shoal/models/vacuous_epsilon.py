"""From which ε on (k,ε)-anonymity says nothing of the records it is made on.

*Definition.* ε *reaches the span* of a scale when no two ratings of it are more than ε apart. Then two records are
ε-proximate exactly when the same issues are missing in both, whatever was rated. From the distance of a missing
rating on, any two records are. The promise is *vacuous* on records when every two records with the same issues rated
as these would be ε-proximate, whatever their ratings: where ε reaches the span and all records rate the same issues,
and where a missing rating is within ε of a rating. In between it still says something of which issues people rated,
and nothing of how.

Only the scale and the places of missing ratings count. Ratings that happen to lie within ε of each other are what the
promise asks for, and nothing against it.
"""

from fractions import Fraction

from shoal.data import RatingMatrix, Ratings, Scale

from .caveat import Caveat

__all__ = ["epsilon_caveat", "span", "vacuous_from"]


def span(scale: Scale) -> Fraction:
    """Return how far apart two ratings can be."""
    return scale.highest - scale.lowest


def vacuous_from(ratings: Ratings) -> Fraction:
    """Return the smallest ε that asks nothing of these records."""
    scale = ratings.scale
    return span(scale) if _same_issues(ratings.observable) else scale.null_steps * scale.step


def epsilon_caveat(epsilon: Fraction, ratings: Ratings) -> Caveat | None:
    """Return what this ε leaves unsaid of these records; None where ratings can be too far apart for it."""
    if epsilon < span(ratings.scale):
        return None
    if epsilon >= vacuous_from(ratings):
        return Caveat("It is vacuous: with this ε any two of these records are near, whatever people rated.", True)
    return Caveat(
        "ε reaches the span of the scale: it says nothing of how people rated, only of which issues they rated.", False
    )


def _same_issues(matrix: RatingMatrix) -> bool:
    """Tell whether everybody rated the same issues."""
    if len(matrix) == 0:
        return True
    width = int(matrix.indptr[1] - matrix.indptr[0])
    if matrix.n_ratings != width * len(matrix) or (matrix.indptr[1:] - matrix.indptr[:-1] != width).any():
        return False
    return bool((matrix.indices.reshape(len(matrix), width) == matrix.indices[:width]).all())
