"""One session of Spark for all tests of this folder: two executors of a core each, as separate processes."""

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from shoal.backends.spark import SparkBackend

_ROOT = Path(__file__).parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("spark")
            for warning in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::{warning}"))  # pyspark leaves sockets open


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkBackend]:
    if find_spec("pyspark") is None:
        pytest.skip("pyspark is not installed: make test-spark installs it")
    if shutil.which("java") is None:
        pytest.skip("there is no Java, which Spark runs on")
    folder = tmp_path_factory.mktemp("spark")
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # most of the time of a short run goes into compiling Java
    settings = {
        "spark.driver.extraJavaOptions": quick,
        "spark.executor.extraJavaOptions": quick,
        "spark.driver.memory": "1g",
        "spark.task.maxFailures": "2",  # what fails on purpose is not tried too often
        "spark.local.dir": str(folder / "local"),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(str(_ROOT / each) for each in ("src", "tests")),
        "spark.network.timeout": "60s",
        "spark.executor.heartbeatInterval": "5s",
    }
    several = 10**11  # so much memory that a billion rows make a handful of partitions
    with SparkBackend("local-cluster[2,1,1024]", str(folder), task_memory=several, settings=settings) as backend:
        yield backend
    assert not list(folder.glob("shoal-*")), "the staging folder is left behind"
