"""Fixtures every test may use."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from shoal.kernels.compiled import Kernel

# signals are as at a start by hand, whatever the tests were started with: in the background, a shell ignores some
signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, signal.SIG_DFL)

# enough to see most faults each time; pytest --hypothesis-profile=thorough looks closer before a release
settings.register_profile("shoal", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shoal")


_LONG = ("test_align.py", "test_pages.py")
"""Files that take minutes: with one worker a file, whoever gets them last keeps all others waiting."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the long files first; all others stay in their order."""
    items.sort(key=lambda item: item.path.name not in _LONG)


@pytest.fixture(autouse=True, scope="session")
def no_kernel_changes_protected_arrays() -> Iterator[None]:
    """The compiler is not told which arrays are protected, so every call in the tests is watched."""
    call = Kernel.__call__

    def watched(self: Kernel, *arguments: Any) -> Any:
        held = [each for each in arguments if isinstance(each, np.ndarray) and not each.flags.writeable]
        before = [each.tobytes() for each in held]
        result = call(self, *arguments)
        assert before == [each.tobytes() for each in held], f"{self.__name__} writes to an array that is protected"
        return result

    Kernel.__call__ = watched
    yield
    Kernel.__call__ = call


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data sets beside the project; tests that need it are skipped where it is missing."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    return folder
