"""What a column of a table is to an attacker. There is no default: every column is given a role by its owner."""

from enum import StrEnum

__all__ = ["Role"]


class Role(StrEnum):
    """The part a column plays in a release."""

    IDENTIFIER = "identifier"
    """Names a person directly; never leaves."""
    QUASI_IDENTIFIER = "quasi-identifier"
    """May be known to others and joined; told less exactly."""
    SENSITIVE = "sensitive"
    """What must not be learnt of a person; published as it is."""
    INSENSITIVE = "insensitive"
    """Neither known to others nor harmful; published as it is, and audited."""
    DROP = "drop"
    """Not needed; never leaves."""

    @property
    def leaves(self) -> bool:
        """Whether a column with this role is part of a release."""
        return self not in (Role.IDENTIFIER, Role.DROP)
