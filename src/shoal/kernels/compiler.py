"""The compiler as kernels use it: numba, with fewer types, a cache that can be trusted, and a word to the user.

Nobody but :mod:`.compiled` imports this, and that only when a kernel is called.
"""

import types as python
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from numba import config, get_num_threads, prange, set_num_threads, typeof, types, version_info
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from shoal.progress import stage

from .kernel_cache import KernelCache, kept_in

__all__ = [
    "announcer",
    "compile_as_part",
    "compile_for_threads",
    "compile_when_called",
    "get_num_threads",
    "kept_in",
    "prange",
    "set_num_threads",
    "typeof",
    "types",
]

_KNOWN_INSIDE = (0, 68)
"""The version of numba whose inner parts we know; with any other, kernels take longer to compile and run as fast."""

_CALLED = {"nopython": True, "nogil": True}
_PART = {
    "nopython": True,
    "no_cpython_wrapper": True,
}  # the options of numba's own functions: it compiles them once then


class _Dispatcher(CPUDispatcher):
    """A function that is compiled when it is called with new types, and whose code is kept on disk."""

    def __init__(self, py_func: Callable[..., Any], locals: Any, targetoptions: dict[str, Any]) -> None:  # noqa: A002
        super().__init__(py_func, locals, targetoptions)
        cache = KernelCache.of(py_func)
        if cache is not None:
            self._cache = cache

    def compile(self, sig: Any) -> Any:
        """Compile for these types, or load what was kept, and return the function that Python calls."""
        with global_compiler_lock, _less_code():
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call by another kernel; a literal is a number like any other, and not compiled for by itself."""
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)


def _less_code() -> AbstractContextManager[None]:
    if version_info.short != _KNOWN_INSIDE:
        return nullcontext()
    from .code_library import only_what_python_calls

    return only_what_python_calls()


def compile_when_called(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function as numba will compile it for a call from Python."""
    return _dispatcher(function, {**_CALLED, **options})


def compile_for_threads(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function as numba will compile it for several threads."""
    return _dispatcher(_twin(function, "_on_threads"), {**_CALLED, **options, "parallel": True})


def compile_as_part(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function as numba will compile it for calls by other kernels alone."""
    return _dispatcher(_twin(function, "_as_part"), {**_PART, **options})


def _dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return function if config.DISABLE_JIT else _Dispatcher(function, {}, options)  # type: ignore[attr-defined]


def _twin(function: Callable[..., Any], ending: str) -> Callable[..., Any]:
    """Return the same function with another name: compiled code is kept by name and types."""
    twin = python.FunctionType(function.__code__, function.__globals__, function.__name__ + ending)
    twin.__qualname__, twin.__module__ = function.__qualname__ + ending, function.__module__
    return twin


class _Announcer(event.Listener):
    """Shows a stage for as long as the compiler is at work on a kernel."""

    def __init__(self) -> None:
        self.compiled = 0
        """How many kernels have been compiled, each for one combination of types."""
        self._depth = 0
        self._shown = ExitStack()

    def on_start(self, event: Any) -> None:
        is_kernel = isinstance(event.data["dispatcher"], _Dispatcher)
        self.compiled += is_kernel
        if self._depth == 0 and is_kernel:
            self._shown.enter_context(stage("compiling, once"))
        self._depth += 1

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - numba's signature
        self._depth -= 1
        if self._depth == 0:
            self._shown.close()


announcer = _Announcer()
event.register("numba:compile", announcer)
