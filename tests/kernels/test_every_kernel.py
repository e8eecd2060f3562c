"""No kernel goes without a twin: each is tried, on drawn input, both compiled and as plain Python runs it."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import shoal.kernels

TESTS = Path(__file__).resolve().parents[1]


def kernels() -> list[tuple[str, str]]:
    found = []
    for module in pkgutil.walk_packages(shoal.kernels.__path__, "shoal.kernels."):
        room = importlib.import_module(module.name)
        names = () if module.ispkg else room.__all__
        found += [(module.name.rpartition(".")[2], name) for name in names if hasattr(getattr(room, name), "py_func")]
    return found


@pytest.mark.parametrize(("module", "kernel"), kernels())
def test_a_kernel_has_a_test_that_tries_it_compiled_and_plain(module, kernel):
    texts = [path.read_text() for folder in ("kernels", "datasets") for path in (TESTS / folder).rglob("test_*.py")]
    about = [text for text in texts if module in text and re.search(rf"\b{kernel}\b", text)]
    assert any("@given" in text and "py_func" in text for text in about)
