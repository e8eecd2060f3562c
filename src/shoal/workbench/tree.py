"""A hierarchy that was drawn as lines, as a tree of labels: pages show it as lists within lists."""

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Branch", "tree_of"]

_WIDTH = 4
_INDENTS = ("│   ", "    ")


@dataclass
class Branch:
    """A label, and what is below it."""

    label: str
    below: list["Branch"] = field(default_factory=list)


def tree_of(lines: Sequence[str]) -> Branch | None:
    """Return the root of a tree whose lines were drawn from the root down; None where there are none."""
    if not lines:
        return None
    root = Branch(lines[0])
    path = [root]
    for line in lines[1:]:
        depth, at = 1, 0
        while line[at : at + _WIDTH] in _INDENTS:
            depth, at = depth + 1, at + _WIDTH
        branch = Branch(line[at + _WIDTH :])
        del path[depth:]
        path[-1].below.append(branch)
        path.append(branch)
    return root
