"""The nodes of a lattice that were looked at, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import escape

from shoal.display import Picture
from shoal.wording.format import format_count

from .charts import GRAY, GRID, WIDTH, svg_opening, svg_text

__all__ = ["LatticeNode", "lattice_picture"]

_LEFT, _TOP, _ROW = 150, 14, 26
_GOOD, _BAD = "#1f6f8b", "#8a8f94"
_MOST = 300


@dataclass(frozen=True)
class LatticeNode:
    """One node: its levels, whether it keeps the promises, and what it loses."""

    levels: tuple[int, ...]
    keeps: bool
    loss: float | None
    told: str = ""
    """What the node is, for those who point at it and those who do not see it."""
    address: str = ""
    """Where taking it leads; empty where it cannot be taken."""


def lattice_picture(nodes: Sequence[LatticeNode], heights: Sequence[int], best: tuple[int, ...] | None) -> Picture:
    """Draw each node at the sum of its levels: filled if it keeps the promises, in outline if not, the best ringed.

    A node with an address is a link.
    """
    shown = nodes[:_MOST]
    sums = sorted({sum(each.levels) for each in shown}, reverse=True)
    height = _TOP + _ROW * max(len(sums), 1) + 30
    about = f"{format_count(len(shown), 'node')} of the lattice, by how far they generalize."
    parts = [svg_opening(height, about, role="group" if any(each.address for each in shown) else "img")]
    for row, total in enumerate(sums):
        y = _TOP + _ROW * row + _ROW / 2
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH}" y2="{y:.1f}" {GRID}/>')
        parts.append(svg_text(_LEFT - 10, y + 4, f"{total} of {sum(heights)} levels up", anchor="end", color=GRAY))
        own = [each for each in shown if sum(each.levels) == total]
        step = (WIDTH - _LEFT) / (len(own) + 1)
        parts += [_node(each, _LEFT + step * (i + 1), y, is_best=each.levels == best) for i, each in enumerate(own)]
    note = (
        "Filled: the promises hold there. Outline: they do not. Ringed: the best found. "
        "Further down, less is generalized, and more of the values can be read."
    )
    if any(each.address for each in shown):
        note += " Each that is filled is a link: follow it to take it."
    left_out = f" {format_count(len(nodes) - _MOST, 'node')} more are not drawn." if len(nodes) > _MOST else ""
    return Picture("Generalizations that were looked at", note + left_out, "".join([*parts, "</svg>"]))


def _node(node: LatticeNode, x: float, y: float, *, is_best: bool) -> str:
    look = f'fill="{_GOOD}"' if node.keeps else f'fill="none" stroke="{_BAD}" stroke-width="2"'
    ring = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="none" stroke="{_GOOD}" stroke-width="2"/>' if is_best else ""
    )
    title = f"<title>{escape(node.told)}</title>" if node.told else ""
    drawn = f'{title}<circle cx="{x:.1f}" cy="{y:.1f}" r="6" {look}/>{ring}'
    if node.address:
        return f'<a href="{escape(node.address)}" aria-label="{escape(node.told)}">{drawn}</a>'
    return f"<g>{drawn}</g>" if title else drawn
