"""Packages whose names are imported when they are first asked for show the same names as if they were there."""

import subprocess
import sys
from importlib import import_module

import pytest

from shoal.on_demand import within_modules

PACKAGES = (
    "shoal",
    "shoal.anonymizers",
    "shoal.attacks",
    "shoal.column_audit",
    "shoal.desk",
    "shoal.io",
    "shoal.models",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_found_whatever_was_imported_before(package: str) -> None:
    room = import_module(package)
    for _ in range(2):  # the first time may import a module of the same name beside it
        for name in room.__all__:
            assert type(getattr(room, name)).__name__ != "module", name
    assert set(room.__all__) <= set(dir(room))


def test_no_other_name_is_found() -> None:
    io = import_module("shoal.io")
    with pytest.raises(AttributeError, match=r"module 'shoal\.io' has no attribute 'nonsense'"):
        io.nonsense  # noqa: B018


def test_a_name_is_not_that_of_a_module_beside_it() -> None:
    with pytest.raises(AssertionError, match="module beside it"):
        within_modules("shoal.io", {"describe": ("describe",)})


def test_importing_shoal_imports_no_library() -> None:
    program = "import shoal, sys; dir(shoal); assert not {'polars', 'numpy', 'pydantic'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
