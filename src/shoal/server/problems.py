"""Problems as RFC 9457 has them: what went wrong, the cure, and never a value of a record."""

import re
from typing import Any, Final

from shoal.errors import InputError, InternalError, ShoalError

__all__ = ["PROBLEM_TYPE", "NotFound", "problem", "problem_of"]

PROBLEM_TYPE: Final = "application/problem+json"


class NotFound(InputError):  # noqa: N818
    """There is no such thing, or none that may be seen by who asks: the two are not told apart."""

    http_status = 404


def problem(status: int, title: str, detail: str = "", kind: str = "about:blank", **more: Any) -> dict[str, Any]:
    """Return the body of an answer that reports a problem."""
    told = {"type": kind, "title": title, "status": status, **more}
    return told | ({"detail": detail} if detail else {})


def problem_of(error: BaseException) -> dict[str, Any]:
    """Return the problem that an error is; of errors that are not our own only the class is told."""
    if isinstance(error, MemoryError):
        error = InternalError("The job needs more memory than it may take.", "Allow more, or use less data at a time.")
    if not isinstance(error, ShoalError):
        # the text of a foreign error may hold a value of a record
        error = InternalError(f"This is a fault of Shoal ({type(error).__name__}).", "Please report it.")
    declare = getattr(error, "declare", None)
    more = {"declare": declare} if declare else {}
    return problem(error.http_status, error.message, error.cure, f"urn:shoal:{_dashed(type(error).__name__)}", **more)


def _dashed(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
