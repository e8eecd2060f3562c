"""Points to choose from: privacy across, what is kept upward, each a link."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from shoal.wording.format import format_share

from .charts import GRAY, GRID, WIDTH, svg_text

__all__ = ["ChoicePoint", "points_chart"]

_COLORS = ("#3b8fc4", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#7f7f7f")
_LEFT, _TOP, _BASE, _LINE = 70, 18, 240, 20


@dataclass(frozen=True)
class ChoicePoint:
    """One point: its place, the series it belongs to, and where its link leads."""

    place: float
    kept: float
    series: str
    name: str
    address: str


def points_chart(points: Sequence[ChoicePoint], *, across: str, about: str) -> Markup:
    """Draw points, those of a series joined and with a form of their own; a link says its name and what is kept."""
    places = sorted({point.place for point in points})
    series = list(dict.fromkeys(point.series for point in points))
    height = _BASE + 46 + _LINE * len(series)
    # a group and no image: the links in it are to be reached
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="group" aria-label="{escape(about)}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">'
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _up(share)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH}" y2="{y:.1f}" {GRID}/>')
        parts.append(svg_text(_LEFT - 8, y + 4, f"{100 * share:.0f} %", anchor="end", color=GRAY))
    for i, place in enumerate(places):
        parts.append(svg_text(_across(i, places), _BASE + 18, f"{across} = {place:g}", anchor="middle"))
    for number, name in enumerate(series):
        color = _COLORS[number % len(_COLORS)]
        own = sorted((point for point in points if point.series == name), key=lambda each: each.place)
        line = " ".join(f"{_across(places.index(each.place), places):.1f},{_up(each.kept):.1f}" for each in own)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        parts += [_link(each, _across(places.index(each.place), places), number, color) for each in own]
        low = _BASE + 40 + _LINE * number
        parts += [_mark(_LEFT + 8, low - 4, number, color), svg_text(_LEFT + 24, low, name)]
    return Markup("".join([*parts, "</svg>"]))


def _link(point: ChoicePoint, x: float, number: int, color: str) -> str:
    told = f"{point.name}: {format_share(point.kept)} kept"
    mark = _mark(x, _up(point.kept), number, color)
    return f'<a href="{escape(point.address)}" aria-label="{escape(told)}"><title>{escape(told)}</title>{mark}</a>'


def _mark(x: float, y: float, number: int, color: str) -> str:
    """Return a mark whose form, and not only its color, says to which series it belongs."""
    forms = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{color}"/>',
        f'<rect x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" fill="{color}"/>',
        f'<path d="M{x:.1f} {y - 8:.1f} l8 14 h-16 z" fill="{color}"/>',
        f'<path d="M{x:.1f} {y - 8:.1f} l8 8 l-8 8 l-8 -8 z" fill="{color}"/>',
    )
    return forms[number % len(forms)]


def _across(i: int, places: Sequence[float]) -> float:
    return _LEFT + (i + 0.5) * (WIDTH - _LEFT) / max(len(places), 1)


def _up(share: float) -> float:
    return _BASE - min(max(share, 0.0), 1.0) * (_BASE - _TOP)
