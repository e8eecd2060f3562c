"""Work that leaves nothing: what somebody says of herself goes to a process and comes back as an answer.

Jobs are written down with what was asked. Here nothing is: the process gets its order through a pipe and answers
through another, and neither the books nor a file nor a log has a word of it.
"""

import json
import os
import resource
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from shoal.errors import InternalError, ShoalError
from shoal.server.problems import problem_of

__all__ = ["CannotLookUp", "LookupOrder", "TooBusy", "Unkept"]

_PATIENCE = 120.0
"""How many seconds an answer may take."""


class TooBusy(ShoalError):  # noqa: N818
    """As much is computed as may be at a time."""

    http_status = 429


class CannotLookUp(ShoalError):  # noqa: N818
    """What somebody says of herself does not fit the release; or something else that the process met."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(str(told["title"]), str(told.get("detail") or ""))
        self.http_status = int(told["status"])  # type: ignore[misc]  # that of the error that was met


class LookupOrder(BaseModel):
    """Whom to look for, and where."""

    model_config = ConfigDict(frozen=True)
    folder: str
    ledger: str | None = None
    """The ledger of the release, whose hierarchies explain labels."""
    values: dict[str, str]
    items: list[dict[str, str]]
    tolerance: str | None = None

    def __repr__(self) -> str:
        return "LookupOrder()"  # it holds what somebody said of herself


class Unkept:
    """Runs such work, at most so much at a time."""

    def __init__(self, running: int, memory: int) -> None:
        self._turns = threading.BoundedSemaphore(running)
        self._memory = memory

    def look_up(self, order: LookupOrder) -> dict[str, Any]:
        """Return what a release says of somebody, or raise."""
        if not self._turns.acquire(blocking=False):
            raise TooBusy("Others are being looked up just now.", "Try again in a moment.")
        try:
            told = self._answer(order)
        finally:
            self._turns.release()
        if "problem" in told:
            raise CannotLookUp(told["problem"])
        return told

    def _answer(self, order: LookupOrder) -> dict[str, Any]:
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
        try:
            done = subprocess.run(
                [sys.executable, "-m", "shoal.server.work.unkept", str(self._memory)],
                input=order.model_dump_json().encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=_PATIENCE,
                check=False,
            )
            return json.loads(done.stdout)
        except subprocess.TimeoutExpired:
            raise TooBusy("It took too long to look this up.", "Try again later.") from None
        except ValueError:
            return {"problem": problem_of(InternalError("The process that looked it up ended without a word."))}


def _looked_up(order: LookupOrder) -> dict[str, Any]:
    from shoal.jobs.lookup import lookup
    from shoal.jobs.lookup.explaining_schema import explaining_schema
    from shoal.jobs.lookup.questions import as_frame, questions_of

    asked = questions_of(order.folder)
    own = as_frame(asked, order.values, order.items)
    explains = order.ledger is not None and asked.columns  # nothing else has labels
    schema = explaining_schema(order.ledger) if explains and order.ledger else None
    return _told(lookup(order.folder, own, tolerance=order.tolerance, schema=schema))


def _told(result: Any) -> dict[str, Any]:
    """Return a result with what is said of it in words."""
    from shoal.jobs.lookup.in_words import doubts_in_words, fit_in_words, how_to_read, learned_in_words, named_in_words

    told = result.to_json()
    for fit, published in zip(result.fits, told["fits"], strict=True):
        published["said"] = fit_in_words(fit, of_middles=result.of_middles) if result.compared else []
        published["learned"] = [learned_in_words(fit, each) for each in fit.sensitive]
    return {**told, "said": named_in_words(result), "doubts": doubts_in_words(result), "reading": how_to_read(result)}


def main(memory: int) -> None:
    """Read an order, and write the answer."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # what was said must not end in a file after a crash either
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    warnings.simplefilter("ignore")
    try:
        told = _looked_up(LookupOrder.model_validate_json(sys.stdin.buffer.read()))
    except Exception as error:  # noqa: BLE001 - every failure is told
        told = {"problem": problem_of(error)}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
