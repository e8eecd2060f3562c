"""Curves of a measure over a parameter, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from markupsafe import Markup

from .charts import GRAY, GRID, WIDTH, format_tick, svg_opening, svg_text

__all__ = ["Curve", "curves_chart"]

_COLORS = ("#3b8fc4", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#7f7f7f")
"""Distinguishable by most color-blind people, on a light page and on a dark one."""
_DASHES = ("none", "7 4", "2 3")
_LEFT, _TOP, _BASE, _LINE = 80, 16, 190, 18
_MOST = 18


@dataclass(frozen=True)
class Curve:
    """Places of one name, by x."""

    name: str
    places: tuple[tuple[float, float], ...]


def curves_chart(curves: Sequence[Curve], *, x: str, y: str) -> Markup:
    """Draw curves over the places there are on the x axis, which stand at equal distances; the y axis begins at 0."""
    shown = curves[:_MOST]
    at = sorted({place for curve in shown for place, _ in curve.places})
    highest = max((value for curve in shown for _, value in curve.places), default=0) or 1
    height = _BASE + 40 + _LINE * (len(shown) + (len(curves) > _MOST))
    parts = [svg_opening(height, f"{y} against {x}, {len(curves)} curves"), *_axes(at, highest, x)]
    for number, (curve, look) in enumerate(zip(shown, cycle(_looks()), strict=False)):
        places = [(_across(at.index(place), at), _up(value, highest)) for place, value in curve.places]
        color, dashes = look
        line = " ".join(f"{right:.1f},{down:.1f}" for right, down in places)
        style = f'fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{line}" {style}/>')
        parts += [f'<circle cx="{right:.1f}" cy="{down:.1f}" r="3" fill="{color}"/>' for right, down in places]
        low = _BASE + 46 + _LINE * number
        parts.append(f'<polyline points="{_LEFT},{low - 4} {_LEFT + 30},{low - 4}" {style}/>')
        parts.append(svg_text(_LEFT + 38, low, curve.name))
    if len(curves) > _MOST:
        parts.append(svg_text(_LEFT + 38, height - 6, f"… and {len(curves) - _MOST} more"))
    return Markup("".join([*parts, "</svg>"]))


def _looks() -> list[tuple[str, str]]:
    return [(color, dashes) for dashes in _DASHES for color in _COLORS]


def _axes(at: Sequence[float], highest: float, name: str) -> list[str]:
    parts = []
    for part in (0, 0.5, 1):
        down = _up(part * highest, highest)
        parts.append(f'<line x1="{_LEFT}" y1="{down:.1f}" x2="{WIDTH}" y2="{down:.1f}" {GRID}/>')
        parts.append(svg_text(_LEFT - 8, down + 4, format_tick(part * highest), anchor="end", color=GRAY))
    every = -(-len(at) // 12)  # no more labels than can be read
    for i, place in enumerate(at):
        if i % every == 0:
            parts.append(svg_text(_across(i, at), _BASE + 16, f"{name} = {place:g}", anchor="middle"))
    return parts


def _across(i: int, at: Sequence[float]) -> float:
    return _LEFT + (i + 0.5) * (WIDTH - _LEFT) / max(len(at), 1)


def _up(value: float, highest: float) -> float:
    return _BASE - max(value, 0) / highest * (_BASE - _TOP)
