"""A form that was sent and could not be done: the page shows it again, with what was entered and what to do."""

from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from shoal.errors import ShoalError
from shoal.server.problems import problem_of

from .visitors import Form

__all__ = ["Tried"]


@dataclass(frozen=True)
class Tried:
    """What was entered into a form of a page, and why it could not be done; empty before somebody has tried."""

    form: Form
    problem: dict[str, Any] | None = None
    which: str = ""
    """Which form of the page it was."""

    @classmethod
    def not_yet(cls) -> "Tried":
        """Return a form that nobody has filled in."""
        return cls(Form(FormData()))

    @classmethod
    def in_vain(cls, form: Form, error: ShoalError, which: str = "") -> "Tried":
        """Return a form with the error that it met."""
        return cls(form, problem_of(error), which)

    @property
    def status(self) -> int:
        """The status of the page that shows it."""
        return 200 if self.problem is None else int(self.problem["status"])

    def problem_of(self, which: str) -> dict[str, Any] | None:
        """Return why one of the forms could not be done."""
        return self.problem if self.which == which else None

    def text(self, name: str, default: str = "", which: str | None = None) -> str:
        """Return what was entered; the default before somebody has tried, and in other forms of the page."""
        is_this = self.problem is not None and which in (None, self.which)
        return self.form.text(name) if is_this else default

    def all(self, name: str, default: list[str] | None = None, which: str | None = None) -> list[str]:
        """Return all values that were entered into a field; the default before somebody has tried."""
        is_this = self.problem is not None and which in (None, self.which)
        return self.form.all(name) if is_this else default or []
