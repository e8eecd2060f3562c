"""How the owner wants the hierarchy of a column to be built."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator

from .strict_model import FileName, FiniteNumber, StrictModel

__all__ = [
    "DateHierarchy",
    "FrequencyHierarchy",
    "HierarchySchema",
    "IntervalHierarchy",
    "MaskHierarchy",
    "QuantileHierarchy",
    "TreeHierarchy",
]


class MaskHierarchy(StrictModel):
    """Mask characters from the right, one a level."""

    kind: Literal["mask"]


class IntervalHierarchy(StrictModel):
    """Group numbers into intervals of growing width: round ones where none are given."""

    kind: Literal["interval"]
    widths: tuple[FiniteNumber, ...] | None = Field(default=None, min_length=1)


class QuantileHierarchy(StrictModel):
    """Group numbers or dates into intervals that hold about the same number of records."""

    kind: Literal["quantile"]
    parts: tuple[int, ...] | None = Field(default=None, min_length=1)


class DateHierarchy(StrictModel):
    """Generalize days to month, quarter, year and decade."""

    kind: Literal["date"]


class FrequencyHierarchy(StrictModel):
    """Merge rare values until every label has its share of the records."""

    kind: Literal["frequency"]
    shares: tuple[FiniteNumber, ...] | None = Field(default=None, min_length=1)


class TreeHierarchy(StrictModel):
    """Nested categories whose leaves are the values."""

    kind: Literal["tree"]
    tree: dict[str, Any] | list[Any]

    @field_validator("tree")
    @classmethod
    def _is_a_tree(cls, tree: dict[str, Any] | list[Any]) -> dict[str, Any] | list[Any]:
        if not _is_branch(tree):
            raise ValueError(
                f"a tree is made of tables of tables, at most {_HIGHEST} deep, and of lists of values at their ends"
            )
        return tree


_HIGHEST = 200
"""The most levels of a tree: TOML that is nested much deeper cannot be written again."""


def _is_branch(branch: object, levels: int = _HIGHEST) -> bool:
    if isinstance(branch, Mapping):
        return bool(branch) and levels > 0 and all(_is_branch(below, levels - 1) for below in branch.values())
    return isinstance(branch, list) and bool(branch) and all(isinstance(leaf, str | int | float) for leaf in branch)


def _kind(hierarchy: object) -> str:
    if isinstance(hierarchy, str):
        return "file"
    kind = hierarchy.get("kind") if isinstance(hierarchy, Mapping) else getattr(hierarchy, "kind", None)
    return str(kind)


HierarchySchema = Annotated[
    Annotated[FileName, Tag("file")]
    | Annotated[MaskHierarchy, Tag("mask")]
    | Annotated[IntervalHierarchy, Tag("interval")]
    | Annotated[QuantileHierarchy, Tag("quantile")]
    | Annotated[DateHierarchy, Tag("date")]
    | Annotated[FrequencyHierarchy, Tag("frequency")]
    | Annotated[TreeHierarchy, Tag("tree")],
    Discriminator(
        _kind,
        custom_error_type="hierarchy",
        custom_error_message="a hierarchy is a file name or has kind = 'mask', 'interval', 'quantile', 'date', "
        "'frequency' or 'tree'",
    ),
]
"""The name of a hierarchy file, or how to build the hierarchy from the column."""
