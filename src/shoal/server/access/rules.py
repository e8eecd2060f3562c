"""Which roles an operation is for: it stands in the OpenAPI document, ``x-roles``, so that tests can go through all."""

from typing import Any, Final

from fastapi import Depends, FastAPI

from shoal.server.store import Role

from .identify import Forbidden, Who

__all__ = ["PUBLIC", "rule", "rules_of"]

PUBLIC: Final[dict[str, Any]] = {"openapi_extra": {"x-roles": [], "security": []}}
"""The rule of an operation that everybody may use who reaches the service."""


class _Allow:
    """Lets some roles pass."""

    def __init__(self, roles: tuple[Role, ...]) -> None:
        self._roles = roles

    def __call__(self, who: Who) -> None:
        """Refuse everybody else."""
        if who.role not in self._roles:
            raise Forbidden(f"This is not for a user with the role {who.role}.")


def rule(*roles: Role) -> dict[str, Any]:
    """Return the settings of a route that is for some roles."""
    return {"dependencies": [Depends(_Allow(roles))], "openapi_extra": {"x-roles": sorted(map(str, roles))}}


def rules_of(app: FastAPI) -> dict[str, list[str]]:
    """Return the roles by operation; an operation without a rule is a fault of ours, and a KeyError."""
    return {
        f"{method.upper()} {path}": operation["x-roles"]
        for path, operations in app.openapi()["paths"].items()
        for method, operation in operations.items()
    }
