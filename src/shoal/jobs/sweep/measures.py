"""The measures of a sweep: which are asked for, which points lack one of them, and why some cannot be measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shoal.errors import WordingError
from shoal.utility import MEASURES

from .point import Point

__all__ = ["asked_measures", "missing_points", "not_measured"]

Line = Mapping[str, Any]
"""A finished point as it is kept."""


def asked_measures(names: Sequence[str], *, settings: bool) -> tuple[str, ...]:
    """Return the measures named that are not quick, in the order of the list; refuse ``settings`` of none of them."""
    names = [names] if isinstance(names, str) else names
    for name in names:
        if name not in MEASURES:
            raise WordingError(f"There is no measure named {name!r}.", f"Known are: {', '.join(MEASURES)}.")
    named = {MEASURES[name].name for name in names}
    asked = tuple(name for name, each in MEASURES.items() if name in named and not each.quick)
    if settings and not any(MEASURES[name].draws for name in asked):
        raise WordingError(
            "No measure is asked for that asks queries or predicts.",
            "Add --measure 'average query error', for example.",
        )
    return asked


def missing_points(
    points: Sequence[Point], asked: Sequence[str], kept: Mapping[tuple[str, str], Line]
) -> Iterator[Point]:
    """Return the points to run: the new ones, and those that lack a measure, with the measures that they had."""
    for point in points:
        had = kept.get(point.key)
        if had is None:
            yield replace(point, measures=tuple(asked))
        elif had["holds"] and not _measures_of(had).issuperset(asked):
            every = _measures_of(had).union(asked)
            yield replace(
                point, measures=tuple(name for name in MEASURES if name in every and not MEASURES[name].quick)
            )


def _measures_of(line: Line) -> set[str]:
    return {*line["measures"], *line.get("not_measured", ())}


def not_measured(points: Sequence[Line], asked: Sequence[str]) -> Iterator[str]:
    """Say why some points do not have a measure that was asked for, each reason once."""
    for name in asked:
        reasons = (each.get("not_measured", {}).get(name) for each in points)
        for reason in dict.fromkeys(filter(None, reasons)):
            yield f"Not measured: {name}. {reason}"
