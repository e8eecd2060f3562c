"""The operations of the application by path and method, as its OpenAPI document has them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fastapi import Request

from shoal.errors import WordingError

__all__ = ["Operations", "refuse_unknown_parameters"]


@dataclass(frozen=True)
class Operations:
    """What can be done at which path."""

    document: dict[str, Any]

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], dict[str, Any]]]:
        # longer ones first: a name at the end of a path may hold slashes
        paths = sorted(self.document["paths"].items(), key=lambda each: -len(each[0]))
        return [(re.compile(_pattern(path)), operations) for path, operations in paths]

    def at(self, path: str) -> dict[str, Any]:
        """Return the operations at a path by method, in lower case; none where there is nothing."""
        return next((operations for pattern, operations in self._paths if pattern.fullmatch(path)), {})


def _pattern(path: str) -> str:
    named = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))
    return f"{named.removesuffix('[^/]+')}.+" if path.endswith("/files/{name}") else named


def refuse_unknown_parameters(request: Request) -> None:
    """Refuse a parameter that the operation does not have: who sends it expects it to count."""
    if not request.query_params:
        return
    operations: Operations = request.app.state.operations
    operation = operations.at(request.url.path).get(request.method.lower(), {})
    known = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    if any(name not in known for name in request.query_params):
        raise WordingError("The operation has no such parameter.", f"It has: {', '.join(known) or 'none'}.")
