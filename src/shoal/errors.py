"""Errors: everything that Shoal refuses or fails to do, as one tree.

::

    ShoalError
    ├── InputError                what you gave                     exit 2
    │   ├── FileError             a file or folder
    │   │   └── WriteError        one that cannot be written, because the disk is full, say
    │   ├── SchemaError           the description of the data
    │   ├── DataError             the data themselves
    │   ├── HierarchyError        a generalization hierarchy
    │   └── WordingError          a promise, a method or a plan as written
    ├── GuaranteeError            what we cannot promise            exit 3
    │   ├── PromiseNotKept        the data as published break a promise
    │   ├── VacuousPromise        a promise asks nothing of the data it is made on
    │   ├── NothingLeft           no information that others may know would be left
    │   ├── AuditRefused          something else that leaves singles people out
    │   ├── RequestRefused        the release desk may not give what was asked for
    │   ├── ApprovalAwaited       a request to the release desk waits for an officer
    │   └── ConfirmationAwaited   a change of a policy waits for a second person
    ├── MissingExtraError         what is not installed             exit 4
    ├── ClusterError              what failed on other machines     exit 75
    └── InternalError             our own fault                     exit 70

Each message is one sentence that names the thing and what was expected, then the cure. No message contains a value of
a record: columns, counts and line numbers only.
"""

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

__all__ = [
    "ApprovalAwaited",
    "AuditRefused",
    "ClusterError",
    "ConfirmationAwaited",
    "DataError",
    "FileError",
    "GuaranteeError",
    "HierarchyError",
    "InputError",
    "InternalError",
    "MissingExtraError",
    "NothingLeft",
    "PromiseNotKept",
    "RequestRefused",
    "SchemaError",
    "ShoalError",
    "VacuousPromise",
    "WordingError",
    "WriteError",
    "shortened",
]

_LONGEST_WORD, _LONGEST = 300, 2000


def shortened(message: str) -> str:
    """Return a message with the middle of each long word left out, and of the whole where it is long all the same."""
    words = re.sub(rf"\S{{{_LONGEST_WORD + 1},}}", lambda word: _without_middle(word[0], _LONGEST_WORD), message)
    return _without_middle(words, _LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-longest // 4 :]}"


class ShoalError(Exception):
    """Anything Shoal refuses or fails to do."""

    exit_code: ClassVar[int] = 70
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, cure: str = "") -> None:
        message = shortened(message)  # what was given may be repeated in it
        if message.startswith("the "):  # data in memory have no name of their own to begin a sentence with
            message = f"T{message[1:]}"
        super().__init__(f"{message} {cure}".strip())
        self.message = message
        self.cure = cure


class InputError(ShoalError):
    """What was given cannot be used."""

    exit_code = 2
    http_status = 400

    def __init__(self, message: str, cure: str = "", declare: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, cure)
        self.declare = dict(declare or {})
        """Settings that mend it once they stand in the schema, where the cure is known so exactly."""


class FileError(InputError):
    """A file or folder cannot be read, written or recognized."""


class WriteError(FileError):
    """A file or folder cannot be written: there is no room, or no right to."""

    def __init__(self, target: str | Path, error: BaseException | int | None = None) -> None:
        """Say why in words of our own: those of other libraries may quote the data."""
        self.target = Path(os.path.abspath(target))
        self.number = _number_of(error) if isinstance(error, BaseException) else error
        """The number of the error in the operating system (``errno``), if it is known."""
        if self.number in _FULL:
            why = f"{_FULL[self.number]} where {self.target.parent} is"
            super().__init__(
                f"{target} cannot be written: {why}.", "Make room there, or choose a folder on another disk."
            )
        elif self.number is None:
            super().__init__(f"{target} cannot be written.", "Check the folder, and who may write there.")
        else:
            super().__init__(f"{target} cannot be written: {os.strerror(self.number)}.")

    @staticmethod
    def is_for_lack_of_room(error: BaseException) -> bool:
        """Return whether an error says that a disk is full or that its quota is used up."""
        return _number_of(error) in _FULL


_FULL = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the disk quota is used up"}


def _number_of(error: BaseException) -> int | None:
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    found = re.search(r"\(os error (\d{1,5})\)", str(error))  # other libraries have it in their text alone
    return None if found is None else int(found[1])


class SchemaError(InputError):
    """The description of the data is wrong or incomplete."""


class DataError(InputError):
    """The data do not fit their description."""


class HierarchyError(InputError):
    """A generalization hierarchy is not one: several roots, values not covered, levels that do not nest."""


class WordingError(InputError):
    """A promise, a method or a plan is written in a way that means nothing."""


class GuaranteeError(ShoalError):
    """What was asked cannot be promised; nothing was published."""

    exit_code = 3
    http_status = 409


class PromiseNotKept(GuaranteeError):  # noqa: N818 - it reads as the sentence it means
    """The data as they would be published break a promise."""


class VacuousPromise(GuaranteeError):  # noqa: N818
    """A promise asks nothing of the data it is made on, and the owner has not accepted that."""


class NothingLeft(GuaranteeError):  # noqa: N818
    """Every quasi-identifier or rating would be suppressed, and the owner has not accepted that."""


class AuditRefused(GuaranteeError):  # noqa: N818
    """Something outside the promises would single people out."""


class RequestRefused(GuaranteeError):  # noqa: N818
    """The release desk may not give what was asked for."""


class ApprovalAwaited(GuaranteeError):  # noqa: N818
    """A request to the release desk waits for the approval of an officer."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"The request waits for approval, as number {number}.", "Ask again when an officer has approved it."
        )
        self.number = number


class ConfirmationAwaited(GuaranteeError):  # noqa: N818
    """A change of a policy waits for the confirmation of a second person."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"The change waits, as proposal {number}: the policy asks for two people.",
            f"Let somebody else confirm it: shoal desk confirm {number}.",
        )
        self.number = number


class MissingExtraError(ShoalError):
    """An optional part is not installed."""

    exit_code = 4
    http_status = 501


class ClusterError(ShoalError):
    """A cluster failed: machines were lost, or lack memory, a package or a folder. It may help to try again."""

    exit_code = 75
    http_status = 503


class InternalError(ShoalError):
    """A fault of Shoal itself; please report it."""
