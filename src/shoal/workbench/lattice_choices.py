"""The nodes of a searched lattice as choices: each that keeps the promises can be taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.display import Picture
from shoal.pages.lattice_picture import LatticeNode, lattice_picture
from shoal.wording.format import format_count, format_number

from .choices import Choices
from .page_weight import escaped_bytes, leading

__all__ = ["LatticeChoices", "NodeChoice"]

_MOST_BYTES = 35_000
"""So much of the page the picture may take; of a link, its address and what it says twice."""
_IN_THE_TABLE = 20


@dataclass(frozen=True)
class NodeChoice:
    """A node that was looked at, and where taking it leads."""

    levels: tuple[int, ...]
    keeps: bool
    withheld: int
    groups: int
    loss: str
    told: str
    take: str


@dataclass(frozen=True)
class LatticeChoices:
    """What a search has found, to choose from."""

    heads: tuple[str, ...]
    """The name of each column, with its highest level."""
    nodes: tuple[NodeChoice, ...]
    picture: Picture | None
    more: int
    """How many nodes were looked at that are not in the table."""

    @classmethod
    def of(cls, result: Mapping[str, Any], chosen: Choices, there: str) -> "LatticeChoices":
        """Return the choices of a result, the best first; ``there`` is the page of the promises."""
        names, heights = result["attributes"], result["heights"]
        heads = tuple(f"{name} (0–{height})" for name, height in zip(names, heights, strict=True))
        nodes = tuple(_choice(each, result, chosen, there) for each in result.get("found", ()))
        drawn = leading(nodes, _MOST_BYTES, lambda each: 100 + escaped_bytes(each.take + each.told + each.told))
        best = result["best"]
        points = [
            LatticeNode(each.levels, each.keeps, None, each.told, each.take if each.keeps else "") for each in drawn
        ]
        picture = lattice_picture(points, heights, None if best is None else tuple(best["node"])) if points else None
        return cls(heads, nodes[:_IN_THE_TABLE], picture, max(result["looked_at"] - _IN_THE_TABLE, 0))


def _choice(told: Mapping[str, Any], result: Mapping[str, Any], chosen: Choices, there: str) -> NodeChoice:
    loss = "–" if told["loss"] is None else format_number(told["loss"])
    method = told["method"]
    return NodeChoice(
        levels=tuple(told["node"]),
        keeps=told["keeps"],
        withheld=told["withheld"],
        groups=told["groups"],
        loss=loss,
        told=_in_words(told, result, loss),
        take="" if method is None else f"{there}{chosen.with_(method=method).query}#chosen",
    )


def _in_words(told: Mapping[str, Any], result: Mapping[str, Any], loss: str) -> str:
    levels = ", ".join(f"{name} {level}" for name, level in zip(result["attributes"], told["node"], strict=True))
    if not told["keeps"]:
        return f"Levels {levels}: does not keep the promises"
    withheld = format_count(told["withheld"], "record")
    return f"Take levels {levels}: {result['loss']} {loss}, {withheld} withheld"
