"""One point of a sweep: a method under a promise, recoded and judged in memory. Nothing of it is published."""

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from shoal import road
from shoal.anonymizers import Anonymizer
from shoal.data import Records
from shoal.errors import GuaranteeError, InputError, ShoalError
from shoal.interruptions import interruption_behind
from shoal.models import PrivacyModel
from shoal.peak_memory import PeakMemory
from shoal.randomness import Randomness

__all__ = ["Failure", "Point", "Terms", "run_point"]


@dataclass(frozen=True)
class Point:
    """A method under a promise of the grid."""

    method: Anonymizer
    promise: PrivacyModel

    @property
    def key(self) -> tuple[str, str]:
        """The point in words."""
        return str(self.method), str(self.promise)


@dataclass(frozen=True)
class Terms:
    """What is the same at every point."""

    models: tuple[PrivacyModel, ...] = ()
    """Promises beside that of the grid."""
    withhold: Fraction = Fraction(0)
    accept: tuple[str, ...] = ()
    seed: int | None = None
    secret: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Failure:
    """A point that came to no end: not a refusal, but a fault. It is not kept, and is tried again by the next run."""

    method: str
    promise: str
    fault: str


def run_point(records: Records, point: Point, terms: Terms) -> dict[str, Any] | Failure:
    """Take the one road out: return what it cost if the promises hold, and the reason if they do not."""
    method, promise = point.key
    letters = {letter: _plain(getattr(point.promise, letter, None)) for letter in ("k", "epsilon", "l")}
    memory, began = PeakMemory(), time.perf_counter()
    try:
        published = _published(records, point, terms)
    except (GuaranteeError, InputError) as error:
        published = {"holds": False, "refused": type(error).__name__, "reason": error.message}
    except ShoalError as error:
        return Failure(method, promise, error.message)
    except MemoryError:
        return Failure(method, promise, "It needs more memory than this machine has.")
    except Exception as error:  # noqa: BLE001 - the text of a foreign error may hold a value of a record
        if interruption := interruption_behind(error):
            raise interruption from None
        return Failure(method, promise, f"This is a fault of Shoal ({type(error).__name__}).")
    seconds = round(time.perf_counter() - began, 3)
    return {"method": method, "promise": promise, **letters, **published, "seconds": seconds, "peak_mib": memory.mib}


def _published(records: Records, point: Point, terms: Terms) -> dict[str, Any]:
    release, ledger = road.publish(
        records,
        [point.promise, *terms.models],
        point.method,
        randomness=Randomness(terms.seed, terms.secret),
        withhold=terms.withhold,
        accept=terms.accept,
    )
    return {
        "holds": True,
        "level": dict(release.certificate.promises[0].level),
        "records": release.records.n_people,
        "vacuous": road.VACUOUS in release.certificate.accepted,
        "measures": dict(ledger.report),
    }


def _plain(number: Any) -> int | float | None:
    """Return a number as JSON has it."""
    if isinstance(number, Fraction):
        return int(number) if number.denominator == 1 else float(number)
    return number
