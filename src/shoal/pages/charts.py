"""Charts as SVG for a page, drawn the same on every machine."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from shoal.wording.format import format_count

__all__ = [
    "BLUE",
    "GRAY",
    "GRID",
    "NARROW",
    "RED",
    "WIDTH",
    "Interval",
    "columns_chart",
    "format_tick",
    "rates_chart",
    "svg_opening",
    "svg_text",
]

WIDTH, NARROW = 720, 440
"""How wide a chart is on a page of its own column, and how wide beside another one, in pixels of its letters."""
_NAMES, _ROW = 300, 34
BLUE, GRAY, RED, _LIGHT = "#1f6f8b", "#8a8f94", "#c0392b", "#c9d3d8"
_INK = "currentColor"  # as the text around it, on a light page and on a dark one
GRID = f'stroke="{GRAY}" stroke-opacity="0.4"'


@dataclass(frozen=True)
class Interval:
    """A success rate with its confidence interval, baseline and control."""

    name: str
    main: float
    low: float
    high: float
    baseline: float
    control: float


def rates_chart(rates: Sequence[Interval]) -> Markup:
    """Draw a line for each rate from 0 to 100 %: a bar with its interval, and marks for guessing and control."""
    room = WIDTH - _NAMES - 70
    names = [_lines(rate.name) for rate in rates]
    row = max([_ROW, *(14 * len(lines) + 6 for lines in names)])
    height = row * len(rates) + 34
    parts = [svg_opening(height, f"Success of {format_count(len(rates), 'attack')}, beside guessing and control.")]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = _NAMES + share * room
        parts.append(f'<line x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 26}" {GRID}/>')
        parts.append(svg_text(x, height - 10, f"{100 * share:.0f} %", anchor="middle", color=GRAY))
    for i, rate in enumerate(rates):
        y = 10 + i * row
        at = [_NAMES + share * room for share in (rate.main, rate.low, rate.high, rate.baseline, rate.control)]
        for j, line in enumerate(names[i]):
            parts.append(svg_text(_NAMES - 8, y + 22 - 7 * len(names[i]) + 14 * j, line, anchor="end"))
        parts.append(f'<rect x="{_NAMES}" y="{y + 3}" width="{max(at[0] - _NAMES, 1):.1f}" height="16" fill="{BLUE}"/>')
        parts.append(
            f'<line x1="{at[1]:.1f}" y1="{y + 11}" x2="{at[2]:.1f}" y2="{y + 11}" stroke="{_INK}" stroke-width="2"/>'
        )
        parts.append(
            f'<line x1="{at[3]:.1f}" y1="{y}" x2="{at[3]:.1f}" y2="{y + 22}" stroke="{RED}" stroke-width="2.5"/>'
        )
        parts.append(f'<circle cx="{at[4]:.1f}" cy="{y + 11}" r="4" fill="white" stroke="#22282c" stroke-width="1.5"/>')
        parts.append(svg_text(WIDTH - 64, y + 15, _percent(rate.main)))
    return Markup("".join([*parts, "</svg>"]))


_LETTERS = 40
"""So many fit beside a bar."""


def _lines(name: str) -> list[str]:
    """Return the name of an attack in lines that part between its settings."""
    lines = [""]
    for part in re.findall("[^,]+,?|,", name):
        if lines[-1] and len(lines[-1] + part) > _LETTERS:
            lines.append("")
        lines[-1] += part
    return lines


def columns_chart(
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    share: bool,
    about: str | None = None,
    narrow: bool = False,
) -> Markup:
    """Draw up to three series side by side over labels; as shares in percent, or as numbers.

    ``about`` describes the chart to those who do not see it; without it, the names of the series do. ``narrow`` is for
    charts that stand side by side.
    """
    assert 1 <= len(series) <= 3
    width, left, height, base = NARROW if narrow else WIDTH, 70, 220, 170
    highest = max((value for _, values in series for value in values), default=0) or 1
    step = (width - left - 10) / max(len(labels), 1)
    bar = min(step * 0.8 / len(series), 40)
    parts = [svg_opening(height, about or " and ".join(name for name, _ in series), width)]
    for part in (0, 0.5, 1):
        y = base - part * (base - 20)
        label = _percent(part * highest) if share else format_tick(part * highest)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width}" y2="{y:.1f}" {GRID}/>')
        parts.append(svg_text(left - 8, y + 4, label, anchor="end", color=GRAY))
    every = -(-len(labels) // 12)  # no more labels than can be read
    for i, label in enumerate(labels):
        middle = left + (i + 0.5) * step
        for j, (_, values) in enumerate(series):
            tall = values[i] / highest * (base - 20)
            x = middle + (j - len(series) / 2) * bar
            parts.append(
                f'<rect x="{x:.1f}" y="{base - tall:.1f}" width="{bar * 0.92:.1f}" height="{tall:.1f}" '
                f'fill="{(GRAY, BLUE, _LIGHT)[j] if len(series) > 1 else BLUE}"/>'
            )
        if i % every == 0:
            parts.append(svg_text(middle, base + 16, label, anchor="middle"))
    if len(series) > 1:
        for j, (name, _) in enumerate(series):
            x = left + j * 180
            parts.append(f'<rect x="{x}" y="{height - 22}" width="12" height="12" fill="{(GRAY, BLUE, _LIGHT)[j]}"/>')
            parts.append(svg_text(x + 18, height - 12, name))
    return Markup("".join([*parts, "</svg>"]))


def svg_opening(height: float, description: str, width: int = WIDTH, *, role: str = "img") -> str:
    """Return the beginning of a chart of this height, with its description for those who do not see it.

    One with links in it is a ``group``: what is in an image cannot be reached.
    """
    narrower = _NARROWER if width < WIDTH else ""
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" {narrower}role="{role}" aria-label="{escape(description)}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">'
    )


_NARROWER = 'class="narrow" '
"""By what a style sheet tells that the letters of a chart are larger."""


def svg_text(x: float, y: float, text: str, *, anchor: str = "start", color: str = _INK) -> str:
    """Return a text at a place, in the color of the text around the chart unless one is given."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'


def _percent(rate: float) -> str:
    """Write a share with enough digits to distinguish it from 0."""
    if 0 < rate < 0.0001:
        return "< 0.01 %"
    return f"{100 * rate:.0f} %" if rate == 0 or rate >= 0.1 else f"{100 * rate:.2f} %"


def format_tick(value: float) -> str:
    """Write a number beside an axis."""
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"
