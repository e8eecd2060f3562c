"""The attack: an adversary model with its background knowledge, its run and its confidence interval."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.data import Ratings
from shoal.errors import WordingError
from shoal.progress import stage
from shoal.randomness import Randomness
from shoal.wording import Registry, Worded

from .exposure import Exposure
from .finding import Finding, Outcome, Yardstick

__all__ = ["Attack", "attacks", "wilson_interval"]


_NORMAL_95 = 1.959963984540054


def wilson_interval(rate: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval (1927) for a mean of ``n`` values between 0 and 1.

    For values other than 0 and 1 it is conservative: no distribution on [0, 1] with this mean has a larger variance.
    """
    if n == 0:
        return 0.0, 1.0
    spread = _NORMAL_95**2 / n
    middle = (rate + spread / 2) / (1 + spread)
    half = math.sqrt(rate * (1 - rate) * spread + spread**2 / 4) / (1 + spread)
    # the interval holds the rate itself; rounding may push it out at 0 and 1
    return max(min(middle - half, rate), 0.0), min(max(middle + half, rate), 1.0)


@dataclass(frozen=True)
class Attack(Worded, ABC):
    """An attacker's background knowledge and strategy: frozen, comparable, and written as one wording.

    Your own attack is a frozen dataclass that derives from this, has a ``name``, ``kinds`` and a ``yardstick``, and
    implements :attr:`meaning` and :meth:`_run`. Where it does not apply, :meth:`misfit` says why. Of a survey, an
    attack that does not know surveys meets the answers or the demographics alone.
    """

    kinds: ClassVar[frozenset[str]]
    yardstick: ClassVar[Yardstick]

    @property
    def counts_by_class(self) -> bool:
        """Whether it only needs the number of people in each equivalence class."""
        return False

    @property
    def needs_ratings(self) -> bool:
        """Whether it is about how items were rated, so that it means nothing of sets."""
        return False

    @property
    @abstractmethod
    def meaning(self) -> str:
        """The attacker's background knowledge and what counts as success, in a sentence or two for everybody."""

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple["Attack", ...]:  # noqa: ARG003
        """Return the attack with the settings of a run in which no attacks were named."""
        return (cls(),)

    @property
    def heeds(self) -> frozenset[str]:
        """The optional parts of the exposure that it uses: ``also``, ``population``, ``outside``, ``dates``."""
        return frozenset()

    def misfit(self, exposure: Exposure) -> str | None:
        """Return a sentence on why the attack cannot be run on this exposure; None if it can."""
        exposure = exposure.of_kinds(self.kinds)
        if exposure.truth.kind not in self.kinds:
            return f"It is an attack on {_kinds(self.kinds)}, and this is {_KINDS[exposure.truth.kind]}."
        if self.needs_ratings and isinstance(exposure.truth, Ratings) and exposure.truth.is_sets:
            return "It is about how items were rated, and sets only say who has what."
        if not len(exposure.published):
            return "No record is published."
        if exposure.hides_persons and not self.counts_by_class:
            return "It needs the ledger: people have several records each, and a release does not say which are whose."
        return self._misfit(exposure)

    def run(self, exposure: Exposure, randomness: Randomness) -> Finding:
        """Attack every target and return the rate of success."""
        reason = self.misfit(exposure)
        if reason is not None:
            raise WordingError(f"The attack {self.name!r} cannot be run. {reason}")
        exposure = exposure.of_kinds(self.kinds)
        with stage(f"attacking ({self.name})"):
            outcome = self._run(exposure, randomness)
        if exposure.persons is not None:
            outcome = outcome.by_person(exposure.persons, worst=self.yardstick != "inference")
        main, control = _mean(outcome.main), _mean(outcome.control)
        assert 0 <= outcome.baseline <= 1
        interval = wilson_interval(main, len(outcome.main))
        return Finding(
            str(self),
            self.meaning,
            self.yardstick,
            main,
            float(outcome.baseline),
            control,
            interval,
            len(outcome.main),
            min(float(outcome.main.max()), 1.0),
            dict(outcome.details),
            wilson_interval(control, len(outcome.control)),
            outcome.control_of,
        )

    def _misfit(self, exposure: Exposure) -> str | None:  # noqa: ARG002
        return None

    @abstractmethod
    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome: ...


_KINDS = {"ratings": "rating data", "survey": "a survey", "table": "a table"}


def _kinds(kinds: frozenset[str]) -> str:
    return " and ".join(
        {"ratings": "rating data", "survey": "surveys", "table": "tables"}[kind] for kind in sorted(kinds)
    )


def _mean(values: np.ndarray) -> float:
    """Return the mean of probabilities in double precision."""
    assert len(values)
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12
    return min(float(values.mean(dtype=np.float64)), 1.0)


attacks: Registry[Attack] = Registry("attack", "shoal.attacks")
"""Every attack by its name."""
