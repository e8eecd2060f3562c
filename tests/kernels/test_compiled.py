"""Kernels are compiled once for each combination of types, kept where nobody else can write, and never in silence."""

import importlib.util
import os
import stat
import sys
import tempfile
import types
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba.core import caching

from shoal.kernels.compiled import Kernel, parallel_from, set_num_threads
from shoal.kernels.kernel_cache import KernelCache, private_temporary_folder
from shoal.progress import listening
from threads import THREADS

HELPER = """
from shoal.kernels.compiled import compiled

@compiled
def raised(value, by):
    return value + by
"""
KERNELS = """
import numpy as np
from {helper} import raised
from shoal.kernels.compiled import compiled, prange

@compiled
def add_one(values):
    out = np.empty_like(values)
    for i in range(len(values)):
        out[i] = raised(values[i], 1) if i % 2 else raised(values[i], len(values) // len(values))
    return out

@compiled(parallel=True)
def squares(values):
    out = np.empty_like(values)
    for i in prange(len(values)):
        out[i] = values[i] * values[i]
    return out
"""


class Heard:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.open = 0

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
        self.names.append(name)
        self.open += 1
        return name

    def advance(self, token: object, amount: int) -> None: ...

    def end(self, token: object) -> None:
        self.open -= 1


def load(folder: Path, name: str, text: str) -> types.ModuleType:
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> types.ModuleType:
    folder = tmp_path_factory.mktemp("kernels")
    load(folder, "helper_of_a_test", HELPER)
    return load(folder, "kernels_of_a_test", KERNELS.format(helper="helper_of_a_test"))


def protected(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.setflags(write=False)
    return values


def test_protected_arrays_and_literals_are_no_types_of_their_own(written) -> None:
    values = np.arange(5)
    assert written.add_one(values).tolist() == [1, 2, 3, 4, 5]
    assert written.add_one(protected(values)).tolist() == [1, 2, 3, 4, 5]
    assert len(written.add_one.signatures) == 1
    assert len(written.raised.signatures) == 1


def test_a_protected_array_stays_protected_and_as_it_was(written) -> None:
    values = protected(np.arange(5))
    written.add_one(values)
    assert not values.flags.writeable
    assert values.tolist() == [0, 1, 2, 3, 4]


def test_small_input_is_not_compiled_for_several_threads(written) -> None:
    assert isinstance(written.squares, Kernel)
    written.squares(np.arange(10.0))
    assert "_threaded" not in vars(written.squares)


@given(values=arrays(np.float64, st.integers(0, 30), elements=st.floats(-1e6, 1e6)))
def test_one_thread_and_several_return_the_same_bits(values: np.ndarray) -> None:
    squares = sys.modules["kernels_of_a_test"].squares
    alone = squares(values)
    set_num_threads(min(THREADS, 2))
    with parallel_from(0):
        together = squares(values)
    assert alone.tobytes() == together.tobytes() == squares.py_func(values).tobytes()


def test_compiling_is_announced_once(tmp_path: Path) -> None:
    load(tmp_path, "helper_announced", HELPER)
    module = load(tmp_path, "kernels_announced", KERNELS.format(helper="helper_announced"))
    heard = Heard()
    with listening(heard):
        module.add_one(np.arange(3))
        assert heard.names == ["compiling, once"]
        assert heard.open == 0
        module.add_one(np.arange(4))
    assert heard.names == ["compiling, once"]


def test_code_is_made_anew_when_a_kernel_it_calls_has_changed(tmp_path: Path) -> None:
    load(tmp_path, "helper_changed", HELPER)
    module = load(tmp_path, "kernels_changed", KERNELS.format(helper="helper_changed"))
    assert module.add_one(np.arange(3)).tolist() == [1, 2, 3]
    load(tmp_path, "helper_changed", HELPER.replace("value + by", "value + 2 * by"))
    again = load(tmp_path, "kernels_changed", KERNELS.format(helper="helper_changed"))
    assert again.add_one(np.arange(3)).tolist() == [2, 3, 4]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    folder.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def nowhere_else(monkeypatch) -> None:
    """A read-only installation, no home that can be written to, and nothing said in the environment."""

    def refuse(self) -> None:
        raise PermissionError

    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    for locator in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):
        monkeypatch.setattr(locator, "ensure_cache_path", refuse)


def a_function(values):
    return values


def test_a_read_only_installation_without_a_home_keeps_kernels_in_a_private_folder(temporary, nowhere_else) -> None:
    cache = KernelCache.of(a_function)
    assert cache is not None
    folder = temporary / f"shoal-kernels-{os.getuid()}"
    assert Path(cache.cache_path).is_relative_to(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("fault", ["open to others", "a link", "where anybody can replace it", "a file"])
def test_a_folder_that_others_could_fill_is_not_used(temporary: Path, nowhere_else, fault: str) -> None:
    folder = temporary / f"shoal-kernels-{os.getuid()}"
    if fault == "open to others":
        folder.mkdir()
        folder.chmod(0o777)
    elif fault == "a link":
        (temporary / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(temporary / "elsewhere")
    elif fault == "a file":
        folder.touch()
    else:
        temporary.chmod(0o777)
    assert private_temporary_folder() is None
    assert KernelCache.of(a_function) is None


def test_a_kernel_that_cannot_be_kept_runs_all_the_same(tmp_path: Path, temporary, nowhere_else) -> None:
    temporary.chmod(0o777)
    load(tmp_path, "helper_not_kept", HELPER)
    module = load(tmp_path, "kernels_not_kept", KERNELS.format(helper="helper_not_kept"))
    assert module.add_one(np.arange(3)).tolist() == [1, 2, 3]
    assert not list(tmp_path.rglob("*.nbi"))
