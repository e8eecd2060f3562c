"""One point of a sweep: a method under a promise, recoded and judged in memory. Nothing of it is published."""

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from shoal import road
from shoal.anonymizers import Anonymizer
from shoal.data import Records
from shoal.errors import GuaranteeError, InputError, ShoalError
from shoal.interruptions import interruption_behind
from shoal.jobs.measure import compared
from shoal.jobs.release_and_truth import ReleaseAndTruth
from shoal.models import PrivacyModel
from shoal.peak_memory import PeakMemory
from shoal.randomness import Randomness
from shoal.release import Ledger, PublishedRecords
from shoal.utility import MEASURES, Measured, Prediction, Queries, measured

__all__ = ["Failure", "Point", "Terms", "run_point"]


@dataclass(frozen=True)
class Point:
    """A method under a promise of the grid."""

    method: Anonymizer
    promise: PrivacyModel
    measures: tuple[str, ...] = ()
    """What is measured besides the quick ones."""

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
    queries: Queries = field(default_factory=Queries)
    prediction: Prediction = field(default_factory=Prediction)


@dataclass(frozen=True)
class Failure:
    """A point that came to no end: not a refusal, but a fault. It is not kept, and is tried again by the next run."""

    method: str
    promise: str
    fault: str


def run_point(records: Records, point: Point, terms: Terms) -> dict[str, Any] | Failure:
    """Take the one road out: return what it cost if the promises hold, and the reason if they do not."""
    try:
        return _outcome(records, point, terms)
    except ShoalError as error:
        return Failure(*point.key, error.message)
    except MemoryError:
        return Failure(*point.key, "It needs more memory than this machine has.")
    except Exception as error:  # noqa: BLE001 - the text of a foreign error may hold a value of a record
        if interruption := interruption_behind(error):
            raise interruption from None
        return Failure(*point.key, f"This is a fault of Shoal ({type(error).__name__}).")


def _outcome(records: Records, point: Point, terms: Terms) -> dict[str, Any]:
    method, promise = point.key
    letters = {letter: _plain(getattr(point.promise, letter, None)) for letter in ("k", "epsilon", "l", "m")}
    memory, began = PeakMemory(), time.perf_counter()
    made = None
    try:
        made = _released(records, point, terms)
        published = _described(*made)
    except (GuaranteeError, InputError) as error:
        published = {"holds": False, "refused": type(error).__name__, "reason": error.message}
    spent = {"seconds": round(time.perf_counter() - began, 3), "peak_mib": memory.mib}  # not that of measuring
    if made is not None and point.measures:
        found = _measured(*made, point, terms)
        published["measures"].update(found.values)
        published["not_measured"] = dict(found.reasons)
    return {"method": method, "promise": promise, **letters, **published, **spent}


def _released(records: Records, point: Point, terms: Terms) -> tuple[PublishedRecords, Ledger]:
    return road.publish(
        records,
        [point.promise, *terms.models],
        point.method,
        randomness=Randomness(terms.seed, terms.secret),
        withhold=terms.withhold,
        accept=terms.accept,
    )


def _described(release: PublishedRecords, ledger: Ledger) -> dict[str, Any]:
    return {
        "holds": True,
        "level": dict(release.certificate.promises[0].level),
        "records": release.records.n_people,
        "vacuous": road.VACUOUS in release.certificate.accepted,
        "measures": dict(ledger.report),
    }


def _measured(release: PublishedRecords, ledger: Ledger, point: Point, terms: Terms) -> Measured:
    """Measure as ``shoal measure`` does; the quick ones are in the report of the release."""
    pair = _in_order(release, ledger)
    comparison = compared(pair, seed=terms.seed or 0, queries=terms.queries, prediction=terms.prediction)
    return measured(comparison, [MEASURES[name] for name in point.measures])


def _in_order(release: PublishedRecords, ledger: Ledger) -> ReleaseAndTruth:
    """Return people in the order of the originals, so that what measures draw does not depend on the shuffle."""
    order = np.argsort(ledger.origins, kind="stable")
    places = order if ledger.places is None else ledger.places[order]
    used, first, own = np.unique(places, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    published = release.records.take(used[np.argsort(first)])
    own = None if ledger.places is None else rank[own]
    pair = ReleaseAndTruth(release.certificate, published, ledger.original, ledger.origins[order], own)
    return pair.over_same_items()


def _plain(number: Any) -> int | float | None:
    """Return a number as JSON has it."""
    if isinstance(number, Fraction):
        return int(number) if number.denominator == 1 else float(number)
    return number
