"""Machine code is made of kernels that Python calls, together with those that they call, and of nothing else."""

import gc
from typing import Any

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.registry import cpu_target

from shoal.kernels.compiled import compiled


@compiled
def added(values, by):
    out = np.empty_like(values)
    for i in range(len(values)):
        out[i] = values[i] + by
    return out


@compiled
def refused(value):
    if value < 0:
        raise ValueError("no such value")
    return value


@compiled
def added_twice(values, by):
    return added(added(values, refused(by)), refused(by))


def library_of(dispatcher, *arguments):
    types = tuple(map(typeof, arguments))
    dispatcher.compile(types)  # where the caller is kept on disk already, what it calls need not be loaded
    return dispatcher.overloads[types].library


def test_a_kernel_that_another_calls_has_no_machine_code_of_its_own() -> None:
    values = np.arange(4)
    assert added_twice(values, 3).tolist() == [6, 7, 8, 9]
    assert library_of(added_twice, values, 3)._has_machine_code
    assert not library_of(added.part, values, 3)._has_machine_code


def test_it_can_be_called_from_python_as_well() -> None:
    assert added_twice(np.arange(2), 3).tolist() == [6, 7]
    assert added(np.arange(2), 3).tolist() == [3, 4]


def test_a_fault_in_what_is_called_reaches_python() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="no such value"):
            added_twice(np.arange(2), -1)


def test_other_functions_are_compiled_as_ever_and_garbage_is_collected() -> None:
    added_twice(np.arange(2.0), 3.0)

    @njit
    def doubled(values):
        return np.concatenate((values, values))

    assert doubled(np.arange(2)).tolist() == [0, 1, 0, 1]
    context: Any = cpu_target.target_context
    assert type(context.codegen()) is JITCPUCodegen
    assert "create_cfunc_wrapper" not in vars(context)
    assert gc.isenabled()


@compiled
def subtracted_twice(values, by):
    return added(added(values, -refused(by)), -refused(by))


def test_with_another_numba_kernels_are_compiled_as_numba_does(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("shoal.kernels.compiler._KNOWN_INSIDE", (0, 0))
    values = np.arange(3, dtype=np.int16)
    assert subtracted_twice(values, 2).tolist() == [-4, -3, -2]
    assert type(library_of(subtracted_twice, values, 2)) is JITCodeLibrary
    with pytest.raises(ValueError, match="no such value"):
        subtracted_twice(values, -1)
