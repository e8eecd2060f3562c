"""Tests of the claims of chapter 4: one line of a plot against others, over a part of the x-axis."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from experiments.claims import Test
from experiments.experiment import Found, Setting
from experiments.series import written

__all__ = ["Lines", "better", "between", "never_worse_to_the_right", "similar"]

Means = Mapping[str, float]
"""The mean of each line at one place of the x-axis."""


@dataclass(frozen=True)
class Lines:
    """The lines of a plot."""

    y: str
    along: str
    where: Mapping[str, Setting] = field(default_factory=dict)
    part: Callable[[float], bool] = bool
    """Which values of the x-axis are looked at; unless said, all but 0."""
    across: str = "data"
    show: str = ".3g"

    def places(self, table: pl.DataFrame) -> Iterable[tuple[str, float, Means]]:
        """Yield part, place on the x-axis and the means of the lines there, in order."""
        for name, value in self.where.items():
            table = table.filter(pl.col(name) == value)
        for (name,), part in table.group_by(self.across, maintain_order=True):
            found = part.group_by(self.along, "method").agg(pl.col(self.y).mean()).sort(self.along)
            for (x,), here in found.group_by(self.along, maintain_order=True):
                if self.part(float(x)):  # type: ignore[arg-type]
                    yield str(name), float(x), dict(zip(here["method"], here[self.y], strict=True))  # type: ignore[arg-type]

    def judged(self, decide: Callable[[Means], bool], shown: Sequence[str]) -> Test:
        """Return a test whether something holds at every place; it shows where it holds worst, or last."""

        def test(table: pl.DataFrame) -> Found:
            parts: dict[str, list[tuple[float, Means, bool]]] = {}
            for name, x, means in self.places(table):
                parts.setdefault(name, []).append((x, means, decide(means)))
            holds = bool(parts) and all(held for found in parts.values() for *_, held in found)
            texts = [self._text(name, found, shown) for name, found in parts.items()]
            return Found(holds, "; ".join(texts) or "nothing was measured")

        return test

    def _text(self, name: str, found: list[tuple[float, Means, bool]], shown: Sequence[str]) -> str:
        x, means, _ = next((each for each in found if not each[2]), found[-1])
        lines = ", ".join(f"*{line}* {written(means[line], self.show)}" for line in shown if line in means)
        held = f"at {sum(held for *_, held in found)} of {len(found)} settings"
        return f"{name}: {held}; at {self.along} {'= ' if len(self.along) == 1 else ''}{x:g} {lines}"


def better(lines: Lines, one: str, others: Sequence[str], *, beside: Sequence[str] = (), most: bool = False) -> Test:
    """Return a test whether a line is below all others, or above them with ``most``; ``beside`` is only shown."""
    sign = -1 if most else 1
    return lines.judged(
        lambda means: all(sign * means[one] < sign * means[other] for other in others), [one, *others, *beside]
    )


def similar(lines: Lines, one: str, others: Sequence[str], factor: float, *, beside: Sequence[str] = ()) -> Test:
    """Return a test whether a line lies between the others, or outside of them by a factor at most."""

    def decide(means: Means) -> bool:
        theirs = [means[other] for other in others]
        return min(theirs) / factor <= means[one] <= max(theirs) * factor

    return lines.judged(decide, [one, *others, *beside])


def between(lines: Lines, one: str, others: Sequence[str], within: float, *, beside: Sequence[str] = ()) -> Test:
    """Return a test whether a line lies between the others, or outside of them by so much at most."""

    def decide(means: Means) -> bool:
        theirs = [means[other] for other in others]
        return min(theirs) - within <= means[one] <= max(theirs) + within

    return lines.judged(decide, [one, *others, *beside])


def never_worse_to_the_right(lines: Lines, one: str) -> Test:
    """Return a test whether a line never rises along the x-axis and ends below where it began."""

    def test(table: pl.DataFrame) -> Found:
        parts: dict[str, list[tuple[float, float]]] = {}
        for name, x, means in lines.places(table):
            parts.setdefault(name, []).append((x, means[one]))
        holds, texts = bool(parts), []
        for name, found in parts.items():
            ys = [y for _, y in found]
            falls = ys == sorted(ys, reverse=True) and ys[-1] < ys[0]
            holds = holds and falls
            texts.append(f"{name}: " + _steps(found, lines.show))
        return Found(holds, "; ".join(texts))

    return test


def _steps(found: Sequence[tuple[float, float]], show: str) -> str:
    """Return the values of a line where it changes, in words: "364,000,000 from 0, 124,000,000 from 0.4"."""
    changes = [(x, y) for at, (x, y) in enumerate(found) if at == 0 or y != found[at - 1][1]]
    return ", ".join(f"{written(y, show)} from {x:g}" for x, y in changes)
