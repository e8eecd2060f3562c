"""The tree of errors is the one drawn at its top, and each leaf knows its exit status."""

import inspect
import re

import pytest

from shoal import errors
from shoal.errors import ShoalError

CLASSES = [member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, ShoalError)]
EXITS = {
    "InputError": (2, 400),
    "GuaranteeError": (3, 409),
    "MissingExtraError": (4, 501),
    "ClusterError": (75, 503),
    "InternalError": (70, 500),
}


def drawn() -> dict[str, tuple[str, int | None]]:
    """Read the drawing: for each class the one it hangs from, and the exit status that stands beside it."""
    tree: dict[str, tuple[str, int | None]] = {}
    above = {0: "ShoalError"}
    for line in (errors.__doc__ or "").splitlines():
        branch = re.fullmatch(r"    ([│ ]*)[├└]── (\w+)\s+.*?(?:exit (\d+))?", line)
        if branch:
            depth = len(branch[1]) // 4 + 1
            above[depth] = branch[2]
            tree[branch[2]] = (above[depth - 1], int(branch[3]) if branch[3] else None)
    return tree


def test_the_drawing_shows_every_error_where_it_hangs():
    real = {cls.__name__: cls.__bases__[0].__name__ for cls in CLASSES if cls is not ShoalError}
    assert {name: parent for name, (parent, _) in drawn().items()} == real
    assert {cls.__name__ for cls in CLASSES} == set(errors.__all__) - {"shortened"}


def test_the_drawing_shows_the_exit_status_of_each_branch():
    published = {name: status for name, (_, status) in drawn().items() if status is not None}
    assert published == {name: exit_code for name, (exit_code, _) in EXITS.items()}


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls is not ShoalError], ids=lambda cls: cls.__name__)
def test_every_error_has_the_codes_of_its_branch(cls):
    branch = next(parent.__name__ for parent in cls.__mro__ if parent.__name__ in EXITS)
    assert (cls.exit_code, cls.http_status) == EXITS[branch]


def test_the_cure_follows_the_message():
    error = errors.DataError("The file is empty.", "Fill it.")
    assert (str(error), error.message, error.cure) == ("The file is empty. Fill it.", "The file is empty.", "Fill it.")
    assert str(errors.DataError("The file is empty.")) == "The file is empty."
