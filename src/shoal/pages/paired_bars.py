"""Two bars for each of several names: as it was, and as it is published."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from shoal.wording.format import format_share

from .charts import BLUE, GRAY, GRID, NARROW, RED, WIDTH, svg_opening, svg_text

__all__ = ["PairedBar", "paired_bars"]

_BAR, _LINE, _LETTER = 14, 14, 6.8
_MOST_LINES = 3
_LABEL = 76
"""How much room "above 99 %" needs beside the longest bar."""


@dataclass(frozen=True)
class PairedBar:
    """Two shares under one name, and perhaps a mark between 0 and 1."""

    name: str
    first: float | None
    second: float | None
    mark: float | None = None


@dataclass(frozen=True)
class _Frame:
    """Where things are in a chart."""

    width: int
    names: int
    """Room for names, at the left."""
    most: float
    """The share at the right end."""
    series: tuple[int, ...]
    """Which of the two bars are drawn."""

    def across(self, share: float) -> float:
        """Return how far to the right a share is."""
        return self.names + share * (self.width - self.names - _LABEL) / self.most

    def lines(self, name: str) -> list[str]:
        """Return a name in lines that fit beside its bars."""
        found = textwrap.wrap(name, int((self.names - 8) / _LETTER)) or [""]
        return found if len(found) <= _MOST_LINES else [*found[: _MOST_LINES - 1], f"{found[_MOST_LINES - 1][:-1]}…"]


def paired_bars(
    bars: Sequence[PairedBar],
    names: tuple[str, str],
    mark: str = "",
    about: str = "",
    *,
    most: float = 1.0,
    narrow: bool = False,
) -> Markup:
    """Draw two bars a name, from 0 to ``most``: the first in outline, the second filled; what is not known is left out.

    A series without a name is not drawn and not explained. ``narrow`` is for charts that stand side by side.
    """
    series = tuple(place for place, name in enumerate(names) if name)
    frame = _Frame(NARROW if narrow else WIDTH, 170 if narrow else 300, most, series)
    lines = max((len(frame.lines(bar.name)) for bar in bars), default=1)
    row = max((_BAR + 2) * len(series), _LINE * lines) + 12
    height = row * len(bars) + 62
    parts = [svg_opening(height, about or f"{names[0]} beside {names[1]}", frame.width), *_axis(frame, height)]
    for number, bar in enumerate(bars):
        parts += _row(frame, bar, 8 + number * row, row)
    return Markup("".join([*parts, *_legend(height - 24, names, mark, narrow=narrow), "</svg>"]))


def _axis(frame: _Frame, height: float) -> list[str]:
    parts = []
    for share in (0, frame.most / 4, frame.most / 2, 3 * frame.most / 4, frame.most):
        x = frame.across(share)
        parts.append(f'<line x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 54}" {GRID}/>')
        parts.append(svg_text(x, height - 40, f"{100 * share:.3g} %", anchor="middle", color=GRAY))
    return parts


def _row(frame: _Frame, bar: PairedBar, y: float, row: float) -> list[str]:
    middle = y + (row - 12) / 2
    lines = frame.lines(bar.name)
    top = middle - _LINE * len(lines) / 2 + 11
    parts = [svg_text(frame.names - 8, top + _LINE * i, line, anchor="end") for i, line in enumerate(lines)]
    marked = None if bar.mark is None else frame.across(bar.mark)
    shares = (bar.first, bar.second)
    for place, which in enumerate(frame.series):
        share = shares[which]
        if share is not None:
            top = middle - (_BAR + 2) * len(frame.series) / 2 + place * (_BAR + 2)
            wide = max(frame.across(share) - frame.names, 1)
            look = (_outlined(), _filled())[which]
            parts.append(f'<rect x="{frame.names}" y="{top:.1f}" width="{wide:.1f}" height="{_BAR}" {look}/>')
            label = format_share(share)
            parts.append(svg_text(_beside(frame.names + wide, marked, label), top + 11, label))
    if marked is not None:
        ends = f'y1="{y - 2:.1f}" x2="{marked:.1f}" y2="{y + row - 10:.1f}"'
        parts.append(f'<line x1="{marked:.1f}" {ends} stroke="{RED}" stroke-width="2"/>')
    return parts


def _beside(end: float, mark: float | None, label: str) -> float:
    """Return where the label of a bar begins: beside the bar, and where the mark would cross it beside the mark."""
    is_crossed = mark is not None and end <= mark < end + 6 + _LETTER * len(label)
    return (mark if mark is not None and is_crossed else end) + 6


def _legend(y: float, names: tuple[str, str], mark: str, *, narrow: bool) -> list[str]:
    parts, x, step = [], 8, 130 if narrow else 200
    for name, look in zip(names, (_outlined(), _filled()), strict=True):
        if name:
            parts += [f'<rect x="{x}" y="{y}" width="14" height="12" {look}/>', svg_text(x + 20, y + 11, name)]
            x += step
    if mark:
        parts.append(f'<line x1="{x + 6}" y1="{y - 2}" x2="{x + 6}" y2="{y + 14}" stroke="{RED}" stroke-width="2"/>')
        parts.append(svg_text(x + 16, y + 11, mark))
    return parts


def _outlined() -> str:
    return f'fill="{GRAY}" fill-opacity="0.25" stroke="{GRAY}" stroke-width="1.5"'


def _filled() -> str:
    return f'fill="{BLUE}" stroke="{BLUE}" stroke-width="1.5"'
