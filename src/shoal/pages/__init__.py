"""Pages for people to read: self-contained, without network.

:func:`owner_report` is the HTML page of a release (:mod:`.owner_report`, with the SVG charts of :mod:`.charts`), and
:func:`hierarchy_drawing` a hierarchy as a tree for the terminal. They can be read in any order.
"""

from .hierarchy_drawing import hierarchy_drawing
from .owner_report import OwnerReport, owner_report

__all__ = ["OwnerReport", "hierarchy_drawing", "owner_report"]
