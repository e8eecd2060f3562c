"""Draw the rooms of the house from what they import: one row a layer, an arrow from a room to each room it builds on.

An arrow that follows from others is left out: where ``jobs`` imports ``road`` and ``road`` imports ``data``, that
``jobs`` imports ``data`` too adds nothing to the picture. The rooms of the lowest rows are imported by nearly every
other, so their arrows are left out as well.
"""

import tomllib
from pathlib import Path

import grimp

__all__ = ["picture"]

_SETTINGS = Path(__file__).parents[1] / "pyproject.toml"
_WIDTH, _ROW, _BOX = 900, 58, 30
_INK, _LINE, _FILL, _GROUND = "#1d2b36", "#5b7f95", "#e3eef4", "#f3f1ea"
_GROUND_ROWS = 2

# Where a room stands in its row, from 0 to 4, so that few arrows run behind a box; others are spread evenly.
_COLUMNS = {
    "cli": 2,
    "testing": 4,
    "jobs": 2,
    "plan": 1.1,
    "desk": 0.2,
    "datasets": 0.2,
    "io": 0.8,
    "road": 2,
    "pages": 3,
    "plots": 4,
    "column_audit": 1.5,
    "utility": 2.5,
    "attacks": 3.6,
    "anonymizers": 3,
    "release": 1.1,
    "engines": 2.2,
    "models": 2.2,
    "evidence": 2.2,
    "labels": 0.6,
    "predictors": 3.4,
    "data": 2,
    "kernels": 2,
}


def picture() -> str:
    """Return the picture as SVG."""
    layers = _layers()
    places = _places(layers)
    ground = {room for layer in layers[-_GROUND_ROWS:] for room in layer}
    arrows = _without_shortcuts(_imports(ground))
    height = _ROW * len(layers) + 20
    parts = [_arrow(places[above], places[below]) for above, below in sorted(arrows)]
    parts += [_box(room, *places[room], ground=room in ground) for layer in layers for room in layer]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        f'font-size="14">\n<title>The rooms of the house and what each builds on</title>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>\n'
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{_LINE}"/></marker></defs>\n' + "".join(parts) + "</svg>\n"
    )


def _layers() -> list[list[str]]:
    contracts = tomllib.loads(_SETTINGS.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    lines = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip() for room in line.split("|")] for line in lines]


def _imports(ground: set[str]) -> set[tuple[str, str]]:
    """Return which room imports which, but for what lies on the ground."""
    graph = grimp.build_graph("shoal", cache_dir=None)
    found = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            above, below = _room(module), _room(imported)
            if above and below and above != below and not {above, below} & ground:
                found.add((above, below))
    return found


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _without_shortcuts(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    def reached(start: str) -> set[str]:
        below = {end for begin, end in edges if begin == start}
        return below.union(*(reached(room) for room in below))

    behind = {start: set[str]().union(*(reached(end) for begin, end in edges if begin == start)) for start, _ in edges}
    return {(start, end) for start, end in edges if end not in behind[start]}


def _places(layers: list[list[str]]) -> dict[str, tuple[float, float, float]]:
    """Return the middle, the top and the width of the box of each room."""
    places = {}
    for row, layer in enumerate(layers):
        for place, room in enumerate(layer):
            column = _COLUMNS.get(room, 5 * (place + 0.5) / len(layer) - 0.5)
            places[room] = (_WIDTH * (column + 0.5) / 5, row * _ROW + 20, 9 * len(room) + 24)
    return places


def _arrow(above: tuple[float, float, float], below: tuple[float, float, float]) -> str:
    (x, y, _), (u, v, _) = above, below
    y += _BOX
    bend = (v - y) / 2
    return (
        f'<path d="M{x:g} {y:g}C{x:g} {y + bend:g} {u:g} {v - bend:g} {u:g} {v - 2:g}" fill="none" stroke="{_LINE}" '
        f'stroke-width="1.4" marker-end="url(#tip)"/>\n'
    )


def _box(room: str, x: float, y: float, width: float, *, ground: bool) -> str:
    return (
        f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width:g}" height="{_BOX}" rx="5" '
        f'fill="{_GROUND if ground else _FILL}" stroke="{_INK}"/>'
        f'<text x="{x:g}" y="{y + 20:g}" text-anchor="middle" fill="{_INK}">{room}</text>\n'
    )
