"""What a schema says of one column: its role, and how its values are read and generalized."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import field_validator, model_validator

from shoal.data import Role

from .hierarchy_schema import HierarchySchema
from .strict_model import StrictModel

__all__ = ["ColumnSchema"]


class ColumnSchema(StrictModel):
    """The role of one column of a table, and how its values are read and generalized."""

    role: Role
    """What the column is. A column of which nothing else is said may be given by its role alone."""
    hierarchy: HierarchySchema | None = None
    """A hierarchy file, or how to build the hierarchy."""
    categories: tuple[tuple[str, ...], ...] = ()
    """Sensitive values by category, most sensitive first."""
    type: Literal["number", "text", "date"] | None = None
    """The type of the values; if omitted, it is found from the values."""
    accepted_against_audit: bool = False
    """In the schema of a release: whether the audit objected to the column and its owner accepted it by name."""

    @model_validator(mode="before")
    @classmethod
    def _of_role_alone(cls, given: object) -> object:
        if not isinstance(given, str | Mapping | cls):
            raise ValueError("a column is given by its role, or by settings of which one is the role")
        return {"role": given} if isinstance(given, str) else given

    @model_validator(mode="after")
    def _is_audited(self) -> Self:
        if self.accepted_against_audit and self.role is not Role.INSENSITIVE:
            raise ValueError("only an insensitive column is audited, so only one can be accepted_against_audit")
        return self

    @model_validator(mode="after")
    def _fits_its_part_in_a_sample(self) -> Self:
        if self.role in (Role.WEIGHT, Role.HOUSEHOLD, Role.STRATUM) and self.hierarchy is not None:
            raise ValueError(f"a column with the role {self.role} is never generalized, so it has no hierarchy")
        if self.role is Role.WEIGHT and self.type not in (None, "number"):
            raise ValueError("weights are numbers")
        return self

    @field_validator("categories")
    @classmethod
    def _are_disjoint(cls, categories: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        words = [word for category in categories for word in category]
        if len(set(words)) != len(words):
            raise ValueError("a value belongs to one category, and is listed there once")
        if any(word != word.strip() for word in words):
            raise ValueError("a value has no spaces around it: they are stripped when data are read")
        return categories
