"""What the points of a sweep cost and keep, as tables and curves: a row for each k, a column for each ε or m."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from shoal.display import Picture, Table
from shoal.utility import figures_of, measure_behind
from shoal.wording.format import format_number, format_share

__all__ = ["cost_tables", "curves", "points_by_method", "second_letter"]

Point = Mapping[str, Any]

_REFUSALS = {"VacuousPromise": "vacuous", "NothingLeft": "nothing left"}
"""How points are marked that were refused for another reason than that the promise does not hold."""


def points_by_method(points: Sequence[Point]) -> dict[str, list[Point]]:
    """Return the points of each method."""
    found: dict[str, list[Point]] = {}
    for point in points:
        found.setdefault(point["method"], []).append(point)
    return found


def second_letter(points: Sequence[Point]) -> Literal["epsilon", "m"] | None:
    """Return which letter the points have beside k."""
    for letter in ("epsilon", "m"):
        if any(point.get(letter) is not None for point in points):
            return letter
    return None


def cost_tables(points: Sequence[Point], asked: Sequence[str]) -> Iterator[Table]:
    """Return what each k costs by one method; then what is kept, and the measures that were asked for."""
    yield _grid("cost", "distortion", points, _cost)
    for name in (*_kept(points), "original and unique"):
        yield _grid(f"{name}, share", name, points, partial(_share, measure=name))
    for name in asked:
        yield _grid(name, name, points, partial(_number, measure=name))


def curves(points: Sequence[Point], kind: str) -> Iterator[Picture]:
    """Draw what points cost and what is kept against k, or against ε or m where there is one k only."""
    from shoal.pages.curves import Curve, curves_chart

    second = second_letter(points)
    across, other = ("k", second) if second is None or len(_sorted(points, "k")) > 1 else (second, "k")
    holding = [point for point in points if point["holds"]]
    for measure in (_named(points, "distortion"), *_kept(points)):
        lines: dict[tuple[str, Any], list[tuple[float, float]]] = {}
        for point in holding:
            place = (float(point[across]), float(point["measures"][measure]))
            lines.setdefault((point["method"], None if other is None else point[other]), []).append(place)
        if lines:
            drawn = [Curve(_line(*key, other or ""), tuple(sorted(line))) for key, line in lines.items()]
            behind, of_part = measure_behind(measure)
            unit = "" if behind is None else behind.unit_for(of_part or kind)
            rows = [(each.name, *map(format_number, place)) for each in drawn for place in each.places]
            numbers = Table.of(measure, ("curve", _letter(across), measure), rows, most=100)
            yield Picture(measure, f"({unit})", curves_chart(drawn, x=_letter(across), y=measure), table=numbers)


def _line(method: str, value: float | None, letter: str) -> str:
    return method if value is None else f"{method}, {_letter(letter)} = {format_number(value)}"


def _letter(letter: str) -> str:
    return "ε" if letter == "epsilon" else letter


def _grid(caption: str, head: str, points: Sequence[Point], in_words: Callable[[Point | None], str]) -> Table:
    """Return a row for each k and a column for each ε or m, or one under this head where there is neither."""
    letter = second_letter(points)
    by_place = {(point["k"], None if letter is None else point[letter]): point for point in points}
    across: list[Any] = [None] if letter is None else _sorted(points, letter)
    heads = [head] if letter is None else [f"{_letter(letter)} = {format_number(value)}" for value in across]
    rows = [[format_number(k), *(in_words(by_place.get((k, value))) for value in across)] for k in _sorted(points, "k")]
    return Table.of(caption, ["k", *heads], rows, most=len(rows))


def _named(points: Sequence[Point], name: str) -> str:
    """Return the name of a figure; of a survey, that of its answers."""
    of_answers = f"answers: {name}"
    return of_answers if any(of_answers in point.get("measures", ()) for point in points) else name


def _kept(points: Sequence[Point]) -> tuple[str, ...]:
    """Return the figures on what is kept: of ratings or cells, and of a survey of both parts."""
    kept = _named(points, "ratings kept")
    if not any(kept in point.get("measures", ()) for point in points):
        return ("cells kept",)
    return (kept, "demographics: cells kept") if kept != "ratings kept" else (kept,)


def _share(point: Point | None, measure: str) -> str:
    return "–" if point is None or not point["holds"] else format_share(point["measures"][measure])


def _number(point: Point | None, measure: str) -> str:
    value = None if point is None else point.get("measures", {}).get(measure)
    return "–" if value is None else format_number(value)


def _sorted(points: Sequence[Point], letter: str) -> list[Any]:
    return sorted({point[letter] for point in points})


def _cost(point: Point | None) -> str:
    if point is None:
        return "–"
    if not point["holds"]:
        return _REFUSALS.get(point["refused"], "refused")
    measures = figures_of(point["measures"], "answers")
    cost, withheld = measures.get("cost", measures["distortion"]), measures["records withheld"]
    return format_number(int(cost) if cost == int(cost) else cost) + _remark(point, int(withheld))


def _remark(point: Point, withheld: int) -> str:
    remarks = ["vacuous"] if point["vacuous"] else []
    remarks += [f"{withheld:,} withheld"] if withheld else []
    return f" ({', '.join(remarks)})" if remarks else ""
