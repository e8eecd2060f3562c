"""A histogram as a few small bars without numbers, to be set beside others."""

from collections.abc import Sequence

from markupsafe import Markup, escape

__all__ = ["small_bars"]

_WIDTH, _HEIGHT = 160, 36
_COLOR = "#3b8fc4"


def small_bars(name: str, counts: Sequence[int]) -> Markup:
    """Draw counts as bars of one chart, the highest as high as the chart."""
    highest, step = max(counts, default=0) or 1, _WIDTH / max(len(counts), 1)
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="Histogram of {escape(name)}" xmlns="http://www.w3.org/2000/svg" fill="{_COLOR}">'
    ]
    for i, count in enumerate(counts):
        tall = count / highest * _HEIGHT
        place = f'x="{i * step:.1f}" y="{_HEIGHT - tall:.1f}"'
        parts.append(f'<rect {place} width="{step * 0.9:.1f}" height="{tall:.1f}"/>')
    return Markup("".join([*parts, "</svg>"]))
