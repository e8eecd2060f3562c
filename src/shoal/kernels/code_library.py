"""Machine code for what Python calls, and for nothing else.

Numba optimizes every function by itself and makes machine code of it, also of those that only compiled functions call:
its own, of which the allocation of an array needs half a dozen, and kernels that other kernels call. Their code is then
linked into the callers, and optimized and translated once more. Here only the linking is left of the first. What is
called from Python is optimized as before, together with everything that it calls, so it runs as fast and returns the
same bits.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

__all__ = ["only_what_python_calls"]

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names begin under which code looks for constants of its module


@contextmanager
def only_what_python_calls() -> Iterator[None]:
    """Make machine code inside this block only of functions that Python calls; the compiler's lock is held."""
    context: Any = cpu_target.target_context
    codegen = context.codegen()
    before, collects = codegen.__class__, gc.isenabled()
    codegen.__class__ = _Codegen
    context.create_cfunc_wrapper = _nothing  # nobody calls any of this from C
    gc.disable()  # it would look through everything that lives, again and again, for the little that cannot be reached
    try:
        yield
    finally:
        codegen.__class__ = before
        if before is not _Codegen:
            del context.create_cfunc_wrapper
        if collects:
            gc.enable()


def _nothing(*_: Any) -> None:
    """Stand in for a wrapper that is not needed."""


class _Library(JITCodeLibrary):
    """The code of one function, of which machine code is made when its address is asked for."""

    _has_machine_code = False

    def _optimize_final_module(self) -> None:
        """Leave it to whoever links this code, or calls it."""

    def _finalize_final_module(self) -> None:
        if getattr(self, "_compiled_object", None):  # it comes from the cache with its machine code
            self._has_machine_code = True
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return where the machine code of a function begins; 0 if this is not where it is defined."""
        self._ensure_finalized()
        if not self._has_machine_code and self._defines(name):
            self._has_machine_code = True
            super()._optimize_final_module()
            self._final_module.verify()
            super()._finalize_final_module()
            self._set_environments()
        return super().get_pointer_to_function(name)

    def _defines(self, name: str) -> bool:
        return any(each.name == name and not each.is_declaration for each in self._final_module.functions)

    def _set_environments(self) -> None:
        """Let the functions that were linked in find the constants of their modules."""
        codegen: Any = self._codegen
        for each in self._final_module.global_variables:
            environment = lookup_environment(each.name) if each.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                codegen.set_env(each.name, environment)

    def serialize_using_object_code(self) -> Any:
        """Return what is kept on disk: what there is of it."""
        return super().serialize_using_object_code() if self._has_machine_code else self.serialize_using_bitcode()


class _Codegen(JITCPUCodegen):
    _library_class = _Library

    def set_env(self, env_name: str, env: object) -> None:
        """Set the constants of a function, if there is machine code of it."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)
