"""Where compiled kernels are kept: beside their source, in the user's cache, or in a private temporary folder.

Compiled code is run as it is found, so it is only ever looked for where nobody else can write. It is kept together with
a digest of the sources it was made of: those of the kernel and of every kernel that it may call, because their code
is in it.
"""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching

__all__ = ["KernelCache", "kept_in", "private_temporary_folder"]

_FOLDER = "shoal-kernels"


def private_temporary_folder() -> Path | None:
    """Return a folder for this user alone among the temporary files; None where there is none that can be trusted."""
    if not hasattr(os, "getuid"):
        return Path(tempfile.gettempdir()) / _FOLDER  # temporary files are each user's own there
    folder = Path(tempfile.gettempdir()) / f"{_FOLDER}-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found, around = folder.lstat(), folder.parent.stat()
    except OSError:
        return None
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    # in a folder that others may write to, only the sticky bit keeps them from putting another one in its place
    is_held = bool(around.st_mode & stat.S_ISVTX) or not around.st_mode & 0o022
    return folder if is_ours and is_held else None


class _SourcesDigest:
    """What the code of a kernel was made of."""

    _py_func: Callable[..., Any]

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[call-arg]
        self._py_func = py_func

    def get_source_stamp(self) -> bytes:
        """Return a digest of the files of the kernel and of those it imports kernels from."""
        files = sorted(_files_of(self._py_func.__module__))
        return hashlib.sha256(b"".join(_digest(file, os.stat(file).st_mtime_ns) for file in files)).digest()


@cache
def _digest(file: str, changed: int) -> bytes:  # noqa: ARG001 - a file that has changed is read again
    return hashlib.sha256(Path(file).read_bytes()).digest()


def _files_of(name: str) -> set[str]:
    """Return the files of a module and of those whose kernels it has imported, and so on."""
    modules, found = [name], {}
    while modules:
        module = sys.modules.get(modules.pop())
        if module is None or module.__name__ in found or module.__file__ is None:
            continue
        found[module.__name__] = module.__file__
        modules += {each.__module__ for each in vars(module).values() if hasattr(each, "py_func")} - set(found)
    return set(found.values())


class _Chosen(_SourcesDigest, caching.UserProvidedCacheLocator):
    """Where ``NUMBA_CACHE_DIR`` says."""


class _BesideSource(_SourcesDigest, caching.InTreeCacheLocator):
    """In ``__pycache__`` beside the source."""


class _OfUser(_SourcesDigest, caching.UserWideCacheLocator):
    """In the cache folder of the user's home."""


class _Temporary(_SourcesDigest, caching.InTreeCacheLocator):
    """In a private folder among the temporary files: for installations that cannot be written to, without a home."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = f"{private_temporary_folder()}/{self.get_suitable_cache_subpath(py_file)}"

    def ensure_cache_path(self) -> None:
        """Make the folder inside the private one."""
        Path(self._cache_path).mkdir(exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """Return where to keep the function, if there is a folder that can be trusted."""
        return super().from_function(py_func, py_file) if private_temporary_folder() is not None else None


class _Kept(caching.CompileResultCacheImpl):
    _locator_classes = [_Chosen, _BesideSource, _OfUser, _Temporary]  # noqa: RUF012 - numba's own name


class KernelCache(caching.FunctionCache):
    """The compiled code of one kernel on disk."""

    _impl_class = _Kept

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "KernelCache | None":
        """Return the cache of a function; None where no folder can be written to: it is compiled every time then."""
        try:
            return cls(function)
        except RuntimeError:
            return None


def kept_in() -> str | None:
    """Return the folder in which compiled kernels are kept; None where none can be written to."""
    cache = KernelCache.of(KernelCache.of.__func__)  # any function of this room is kept where kernels are
    return None if cache is None else cache.cache_path
