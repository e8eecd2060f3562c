"""Pages for people to read: one a file, self-contained, without network."""

from .hierarchy_drawing import hierarchy_drawing
from .owner_report import OwnerReport, Picture, owner_report

__all__ = ["OwnerReport", "Picture", "hierarchy_drawing", "owner_report"]
