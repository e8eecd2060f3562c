"""Fixtures every test may use."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from postgres_server import empty_schema, postgres_server, why_there_is_none
from shoal.kernels.compiled import Kernel

# signals are as at a start by hand, whatever the tests were started with: in the background, a shell ignores some
signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, signal.SIG_DFL)

settings.register_profile("shoal", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shoal")

_FEWEST = 10
"""No property is tried on fewer examples than this, or than it asks for itself."""


_LONG = ("test_align.py", "test_pages.py")
"""Files that take minutes: with one worker a file, whoever gets them last keeps all others waiting."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let whoever runs the tests say how closely to look."""
    help_ = "try properties on so many times the examples that they ask for: 0.5 is quick, 20 looks before a release"
    parser.addoption("--examples", type=float, default=1.0, metavar="TIMES", help=help_)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the long files first, all others in their order; try each property on as many examples as was said."""
    items.sort(key=lambda item: item.path.name not in _LONG)
    times: float = config.getoption("--examples", 1.0)  # type: ignore[assignment]
    tests = {getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)}
    for test in filter(is_hypothesis_test, tests):
        asked = getattr(test, "_hypothesis_internal_use_settings", None) or settings()
        most = max(int(asked.max_examples * times), min(_FEWEST, asked.max_examples))
        test._hypothesis_internal_use_settings = settings(asked, max_examples=most)


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


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """Return the address of a PostgreSQL server, started here or named by SHOAL_TEST_POSTGRES, or skip."""
    given = os.environ.get("SHOAL_TEST_POSTGRES", "")
    if given:
        yield given
        return
    lacking = why_there_is_none()
    if lacking is not None:
        pytest.skip(lacking)
    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres(postgres_address: str) -> Iterator[str]:
    """Return the address of an empty schema: making a database for each test would take longer than the test."""
    with empty_schema(postgres_address) as address:
        yield address
