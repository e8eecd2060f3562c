"""Two bars for each of several names: as it was, and as it is published."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from shoal.wording.format import format_share

from .charts import GRAY, GRID, WIDTH, svg_opening, svg_text

__all__ = ["PairedBar", "paired_bars"]

_NAMES, _ROW, _BAR = 300, 44, 14
_BLUE = "#1f6f8b"


@dataclass(frozen=True)
class PairedBar:
    """Two shares under one name, and perhaps a mark between 0 and 1."""

    name: str
    first: float | None
    second: float | None
    mark: float | None = None


def paired_bars(
    bars: Sequence[PairedBar], names: tuple[str, str], mark: str = "", about: str = "", *, most: float = 1.0
) -> Markup:
    """Draw two bars a name, from 0 to ``most``: the first in outline, the second filled; what is not known is left out.

    A series without a name is not drawn and not explained.
    """
    room = (WIDTH - _NAMES - 60) / most
    height = _ROW * len(bars) + 62
    parts = [svg_opening(height, about or f"{names[0]} beside {names[1]}")]
    for share in (0, most / 4, most / 2, 3 * most / 4, most):
        x = _NAMES + share * room
        parts.append(f'<line x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 54}" {GRID}/>')
        parts.append(svg_text(x, height - 40, f"{100 * share:.3g} %", anchor="middle", color=GRAY))
    for number, bar in enumerate(bars):
        y = 8 + number * _ROW
        parts.append(svg_text(_NAMES - 8, y + 20, _shortened(bar.name), anchor="end"))
        for place, share, look in ((0, bar.first, _outlined()), (1, bar.second, _filled())):
            if share is not None:
                top = y + place * (_BAR + 2)
                wide = max(share * room, 1)
                parts.append(f'<rect x="{_NAMES}" y="{top}" width="{wide:.1f}" height="{_BAR}" {look}/>')
                parts.append(svg_text(_NAMES + wide + 6, top + 11, format_share(share)))
        if bar.mark is not None:
            x = _NAMES + bar.mark * room
            parts.append(
                f'<line x1="{x:.1f}" y1="{y - 2}" x2="{x:.1f}" y2="{y + 32}" stroke="#c0392b" stroke-width="2"/>'
            )
    parts += _legend(height - 24, names, mark)
    return Markup("".join([*parts, "</svg>"]))


def _legend(y: float, names: tuple[str, str], mark: str) -> list[str]:
    parts = []
    for place, (name, look) in enumerate(zip(names, (_outlined(), _filled()), strict=True)):
        if not name:
            continue
        x = 8 + 200 * place
        parts += [f'<rect x="{x}" y="{y}" width="14" height="12" {look}/>', svg_text(x + 20, y + 11, name)]
    if mark:
        parts.append(f'<line x1="414" y1="{y - 2}" x2="414" y2="{y + 14}" stroke="#c0392b" stroke-width="2"/>')
        parts.append(svg_text(424, y + 11, mark))
    return parts


def _outlined() -> str:
    return f'fill="{GRAY}" fill-opacity="0.25" stroke="{GRAY}" stroke-width="1.5"'


def _filled() -> str:
    return f'fill="{_BLUE}" stroke="{_BLUE}" stroke-width="1.5"'


def _shortened(name: str, most: int = 44) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
