"""Pages for people to read: one a file, self-contained, without network."""

from .owner_report import OwnerReport, Picture, owner_report

__all__ = ["OwnerReport", "Picture", "owner_report"]
