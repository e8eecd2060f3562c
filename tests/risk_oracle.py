"""Who is nearest to a record beyond ε, and what separates the two: once more, person by person, in plain Python."""

from collections.abc import Iterable

from oracles import Profile, dissimilarity


def separating(one: Profile, other: Profile, epsilon, r) -> list[int]:
    """The issues on which two records are further apart than ε: the most distant first, then in their order."""
    apart = [dissimilarity(a, b, r) for a, b in zip(one, other, strict=True)]
    return sorted((issue for issue in range(len(apart)) if apart[issue] > epsilon), key=lambda i: (-apart[i], i))


def nearest(rows: list[Profile], record: int, epsilon, r, among: Iterable[int] | None = None) -> int | None:
    """The other that is separated by the fewest issues but some; then the one that differs least; then the first."""
    best = None
    for other in range(len(rows)) if among is None else among:
        issues = len(separating(rows[record], rows[other], epsilon, r))
        total = sum(dissimilarity(a, b, r) for a, b in zip(rows[record], rows[other], strict=True))
        if issues and (best is None or (issues, total, other) < best):
            best = (issues, total, other)
    return None if best is None else best[2]
