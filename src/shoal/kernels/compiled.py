"""Functions that are compiled when they are first called, and a compiler that is loaded no earlier.

Loading the compiler takes as long as everything else that a small command does, so nothing here imports it: a kernel is
handed to it with its first call, with the kernels that it calls in turn. Small input need not be compiled for at all. A
kernel is plain Python underneath and gives the same answers so; where it says up to which size that is quicker than
loading the compiler (``plain_up_to``), it runs that way as long as nothing else has loaded it.

A kernel that other kernels call becomes a part of them, and no function for Python is made of it. To compile for
several threads takes several times as long as for one, so a parallel kernel is compiled for one thread first, which is
what small input gets; the other is made when input is large. Both return the same bits.
"""

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

__all__ = [
    "compiled",
    "compiling_everything",
    "get_num_threads",
    "parallel_from",
    "prange",
    "set_num_threads",
    "stay_on_this_thread",
]

_plain: ContextVar[bool] = ContextVar("plain", default=False)
"""Whether a kernel is running as plain Python, with all that it calls."""

prange = range
"""Stands in a kernel for the loop that runs on several cores, until the compiler is there to make it so."""


def compiled(
    function: Callable[..., Any] | None = None, *, plain_up_to: int = 0, parallel: bool = False, **options: Any
) -> Any:
    """Make a kernel of a function; used as a decorator, with or without options of the compiler.

    ``parallel`` says that the loops over ``prange`` may be shared out among threads.
    """
    if function is None:
        return functools.partial(compiled, plain_up_to=plain_up_to, parallel=parallel, **options)
    return Kernel(function, plain_up_to, options, parallel=parallel)


def get_num_threads() -> int:
    """Return on how many threads a parallel kernel runs."""
    return _compiler().get_num_threads()


def set_num_threads(threads: int) -> None:
    """Say on how many threads a parallel kernel runs."""
    _compiler().set_num_threads(threads)


class _Thread(threading.local):
    """What is said of the running thread."""

    is_one_of_many = False


_thread = _Thread()


def stay_on_this_thread() -> None:
    """Let kernels that are called in this thread run on it alone, because other threads work beside it."""
    _thread.is_one_of_many = True


class _Policy:
    """When kernels run on several threads."""

    large = 1 << 17
    """Input with at least this many elements is large."""
    everything = False
    """Whether parallel kernels are compiled for several threads even where they need not be."""


@contextmanager
def parallel_from(size: int) -> Iterator[None]:
    """Let parallel kernels run on several threads inside this block if their input has ``size`` elements or more."""
    before, _Policy.large = _Policy.large, size
    try:
        yield
    finally:
        _Policy.large = before


@contextmanager
def compiling_everything() -> Iterator[None]:
    """Compile whatever is called inside this block for one thread and for several."""
    _Policy.everything = True
    try:
        yield
    finally:
        _Policy.everything = False


class Kernel:
    """A function, and what the compiler made of it, once it was called."""

    def __init__(
        self, function: Callable[..., Any], plain_up_to: int, options: dict[str, Any], *, parallel: bool
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.is_parallel = parallel
        self._plain_up_to = plain_up_to
        self._options = options
        self._made = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        if _plain.get():
            return self.py_func(*arguments)  # a kernel that is called in another runs as that one does
        size = sum(map(_size, arguments))
        if self._plain_up_to and not _compiler.cache_info().currsize and size <= self._plain_up_to:
            return self._run_plain(arguments)
        arguments = tuple(map(_writable, arguments))
        if not self.is_parallel:
            return self.dispatcher(*arguments)
        if _Policy.everything:
            self.threaded.compile(tuple(map(_compiler().typeof, arguments)))
        if size >= _Policy.large and not _thread.is_one_of_many and get_num_threads() > 1:
            return self.threaded(*arguments)
        return self.dispatcher(*arguments)

    def _run_plain(self, arguments: tuple[Any, ...]) -> Any:
        before = _plain.set(True)
        try:
            with np.errstate(over="ignore"):  # words that wrap around as they should would warn
                return self.py_func(*arguments)
        finally:
            _plain.reset(before)

    def __getattr__(self, name: str) -> Any:
        """Return what the compiler knows of the function, such as the types that it was compiled for."""
        if name.startswith("__") or name in ("_dispatcher", "_threaded", "_part"):
            raise AttributeError(name)
        return getattr(self.part if "_part" in self.__dict__ else self.dispatcher, name)

    @property
    def dispatcher(self) -> Any:
        """What the compiler made of the function for calls from Python, on one thread."""
        return self._made_once("_dispatcher", "compile_when_called")

    @property
    def threaded(self) -> Any:
        """What the compiler made of the function for calls from Python, on several threads."""
        return self._made_once("_threaded", "compile_for_threads")

    @property
    def part(self) -> Any:
        """What the compiler made of the function for calls by other kernels, which it becomes a part of."""
        return self._made_once("_part", "compile_as_part")

    def _made_once(self, name: str, how: str) -> Any:
        if name not in self.__dict__:
            with self._made:
                if name not in self.__dict__:
                    self.__dict__[name] = self._hand_over(how)
        return self.__dict__[name]

    def _hand_over(self, how: str) -> Any:
        compiler, names = _compiler(), self.py_func.__globals__
        if names.get("prange") is prange:  # the compiler knows its own loop by its identity
            names["prange"] = compiler.prange
        return getattr(compiler, how)(self.py_func, **self._options)


def _size(value: Any) -> int:
    """Return how many elements there are in an array, or in a tuple of arrays."""
    if isinstance(value, np.ndarray):
        return value.size
    return sum(map(_size, value)) if isinstance(value, tuple) else 0


def _writable(value: Any) -> Any:
    """Return an array, or a tuple of them, as the same memory that may be written to.

    An array that may not be written to is of another type for the compiler, and would be compiled for once more. What a
    kernel writes to is never protected: whoever hands it in has made it for that, as a law of the tests says.
    """
    if isinstance(value, tuple):
        return tuple(map(_writable, value))
    if not isinstance(value, np.ndarray) or value.flags.writeable:
        return value
    return np.asarray(_Memory(value))


class _Memory:
    """The memory of an array, in the words in which numpy asks for it."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array  # it lives as long as what is made of it
        described = array.__array_interface__
        self.__array_interface__ = {**described, "data": (described["data"][0], False)}


@functools.cache
def _compiler() -> Any:
    """Load the compiler, and let kernels call each other."""
    from numba.extending import typeof_impl

    from . import compiler

    @typeof_impl.register(Kernel)
    def _type_of_kernel(kernel: Kernel, _context: object) -> object:
        return compiler.types.Dispatcher(kernel.part)

    return compiler
