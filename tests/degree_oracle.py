"""Degrees of anonymization and how they are shared out, by looking at every node, in plain Python."""

from fractions import Fraction
from itertools import product


def step_weights(height: int, beta: int | None) -> list[Fraction]:
    """What each step up weighs, the first step first; without beta all weigh alike."""
    return [Fraction(1) if beta is None else 1 / Fraction(left) ** beta for left in range(height, 0, -1)]


def attribute_degree(height: int, level: int, beta: int | None) -> Fraction:
    weights = step_weights(height, beta)
    return sum(weights[:level], Fraction(0)) / sum(weights, Fraction(0)) if height else Fraction(0)


def record_degree(node, heights, priorities, beta: int | None) -> Fraction:
    weights = priorities if sum(priorities) else [1] * len(node)
    parts = [attribute_degree(h, level, beta) * w for h, level, w in zip(heights, node, weights, strict=True)]
    return sum(parts, Fraction(0)) / sum(weights)


def when(attribute: int, level: int, heights, priorities, beta: int | None):
    """How large the share of 1 − P must be for a level to be reached; what is as useful as can be comes last."""
    middle = attribute_degree(heights[attribute], level, beta) + attribute_degree(heights[attribute], level - 1, beta)
    use = priorities[attribute]
    return (1, middle, use) if use == 1 else (0, middle / (1 - use), use)


def in_order(node, heights, priorities, beta: int | None) -> bool:
    """Whether every step that was taken comes before every step that was not."""
    steps = [(i, level) for i, height in enumerate(heights) for level in range(1, height + 1)]
    keys = {step: (*when(*step, heights, priorities, beta), *step) for step in steps}
    taken = [keys[i, level] for i, level in steps if level <= node[i]]
    others = [keys[i, level] for i, level in steps if level > node[i]]
    return not taken or not others or max(taken) < min(others)


def chain(heights, priorities, beta: int | None) -> list[tuple[int, ...]]:
    """The nodes at which steps can be stopped, from the lowest to the highest."""
    nodes = product(*(range(height + 1) for height in heights))
    return sorted((node for node in nodes if in_order(node, heights, priorities, beta)), key=sum)


def contingency_tables(degree: Fraction, heights, priorities, beta: int | None) -> tuple[int, ...]:
    """The levels for a degree, read as what is meant."""
    nodes = chain(heights, priorities, beta)
    if degree == 0:
        return nodes[0]
    return min(nodes, key=lambda n: (abs(record_degree(n, heights, priorities, beta) - degree), -sum(n)))


def as_printed(degree: Fraction, heights, priorities, beta: int | None) -> tuple[int, ...]:
    """The levels for a degree by equation 4.11: the first level of each attribute that is anonymized far enough."""
    weights = priorities if sum(priorities) else [Fraction(1)] * len(heights)
    asked = [weight * degree / sum(weights) for weight in weights]
    return tuple(
        next(level for level in range(height + 1) if attribute_degree(height, level, beta) >= part or level == height)
        for height, part in zip(heights, asked, strict=True)
    )
