"""Methods for trying what a sweep does about them. They are not registered: only tests know them."""

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from shoal.anonymizers import Allowance, Anonymizer, Recoding
from shoal.data import RatingMatrix, Ratings, Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness


@dataclass(frozen=True)
class Waiting(Anonymizer):
    """Leave every value as it is; at k = 3, wait as long as the variable WAITING names a file, and tell who waits."""

    name: ClassVar[str] = "waiting"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        if models[0].fewest_records == 3 and "WAITING" in os.environ:
            Path(os.environ["WAITING"]).write_text(str(os.getpid()), encoding="ascii")
            time.sleep(60)
        return Recoding(records)


@dataclass(frozen=True)
class Counting(Anonymizer):
    """Leave every value as it is, and remember how many records were given."""

    name: ClassVar[str] = "counting"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    given: ClassVar[list[int]] = []

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        self.given.append(len(records))
        return Recoding(records)


@dataclass(frozen=True)
class Fatal(Anonymizer):
    """Leave every value as it is; at k = 3, kill the process."""

    name: ClassVar[str] = "fatal"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        if models[0].fewest_records == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return Recoding(records)


@dataclass(frozen=True)
class Faulty(Anonymizer):
    """Raise an error whose text holds a value of a record."""

    name: ClassVar[str] = "faulty"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        raise RuntimeError("a rating of Anna's")


@dataclass(frozen=True)
class Dice(Anonymizer):
    """Throw dice for every rating: what comes of it shows which randomness was used."""

    name: ClassVar[str] = "dice"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        assert isinstance(records, Ratings)
        old = records.observable
        thrown = randomness.generator("dice").integers(0, records.scale.points, len(old.codes)).astype(old.codes.dtype)
        return Recoding(replace(records, observable=RatingMatrix(old.items, old.indptr, old.indices, thrown)))
