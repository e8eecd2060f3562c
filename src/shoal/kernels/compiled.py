"""Functions that are compiled when they are first called, and a compiler that is loaded no earlier.

Loading the compiler takes as long as everything else that a small command does, so nothing here imports it: a kernel is
handed to it with its first call, with the kernels that it calls in turn. Small input need not be compiled for at all. A
kernel is plain Python underneath and gives the same answers so; where it says up to which size that is quicker than
loading the compiler (``plain_up_to``), it runs that way as long as nothing else has loaded it.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["compiled", "get_num_threads", "prange", "set_num_threads"]

prange = range
"""Stands in a kernel for the loop that runs on several cores, until the compiler is there to make it so."""


def compiled(function: Callable[..., Any] | None = None, *, plain_up_to: int = 0, **options: Any) -> Any:
    """Make a kernel of a function; used as a decorator, with or without options of the compiler."""
    if function is None:
        return functools.partial(compiled, plain_up_to=plain_up_to, **options)
    return _Kernel(function, plain_up_to, options)


def get_num_threads() -> int:
    """Return on how many threads a parallel kernel runs."""
    return _compiler().get_num_threads()


def set_num_threads(threads: int) -> None:
    """Say on how many threads a parallel kernel runs."""
    _compiler().set_num_threads(threads)


class _Kernel:
    """A function, and what the compiler made of it, once it was called."""

    def __init__(self, function: Callable[..., Any], plain_up_to: int, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._plain_up_to = plain_up_to
        self._options = {"cache": True, "nogil": True, **options}
        self._made = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        if self._plain_up_to and not _compiler.cache_info().currsize and self._is_small(arguments):
            with np.errstate(over="ignore"):  # words that wrap around as they should would warn
                return self.py_func(*arguments)
        return self.dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:
        """Return what the compiler knows of the function, such as the types that it was compiled for."""
        if name.startswith("__") or name == "_dispatcher":
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    @property
    def dispatcher(self) -> Any:
        """What the compiler made of the function."""
        if "_dispatcher" not in self.__dict__:
            with self._made:
                if "_dispatcher" not in self.__dict__:
                    compiler, names = _compiler(), self.py_func.__globals__
                    if names.get("prange") is prange:  # the compiler knows its own loop by its identity
                        names["prange"] = compiler.prange
                    self._dispatcher = compiler.njit(**self._options)(self.py_func)
        return self._dispatcher

    def _is_small(self, arguments: tuple[Any, ...]) -> bool:
        return sum(each.size for each in arguments if isinstance(each, np.ndarray)) <= self._plain_up_to


@functools.cache
def _compiler() -> Any:
    """Load the compiler, and tell it that a kernel that is called in another is what was made of it."""
    import numba
    from numba.extending import typeof_impl

    @typeof_impl.register(_Kernel)
    def _type_of_kernel(kernel: _Kernel, _context: object) -> object:
        return numba.types.Dispatcher(kernel.dispatcher)

    return numba
