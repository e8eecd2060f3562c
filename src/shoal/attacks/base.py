"""What an attack is."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.errors import WordingError
from shoal.progress import stage
from shoal.randomness import Randomness
from shoal.wording import Registry, Worded

from .exposure import Exposure
from .finding import Finding, Outcome, Yardstick

__all__ = ["Attack", "attacks", "wilson_interval"]


_NORMAL_95 = 1.959963984540054


def wilson_interval(rate: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of Wilson (1927) for a mean of n values between 0 and 1.

    For values other than 0 and 1 it is wider than need be: no distribution on [0, 1] with this mean varies more.
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
    """An attacker with what they know and how they go about it: frozen, comparable, and written as one wording.

    One of your own is a frozen dataclass that derives from this, has a ``name``, ``kinds`` and a ``yardstick``, and
    gives :attr:`meaning` and :meth:`_run`. Where it does not apply, :meth:`misfit` says why.
    """

    kinds: ClassVar[frozenset[str]]
    yardstick: ClassVar[Yardstick]

    @property
    def counts_by_class(self) -> bool:
        """Whether it needs no more than how many people each equivalence class is of."""
        return False

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What the attacker knows, and what counts as success, in a sentence or two that anybody understands."""

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple["Attack", ...]:  # noqa: ARG003
        """Return the settings with which it is run where nobody says which attacks to run."""
        return (cls(),)

    @property
    def heeds(self) -> frozenset[str]:
        """What it takes into account beside what is attacked: ``also``, ``population``, ``outside``, ``dates``."""
        return frozenset()

    def misfit(self, exposure: Exposure) -> str | None:
        """Say in a sentence why the attack cannot be run on this; None if it can."""
        if exposure.truth.kind not in self.kinds:
            return f"It is an attack on {' and '.join(sorted(self.kinds))}, and these data are {exposure.truth.kind}."
        if not len(exposure.published):
            return "Nobody is published."
        if exposure.hides_persons and not self.counts_by_class:
            return "It takes the ledger: people have several records each, and a release does not say who has which."
        return self._misfit(exposure)

    def run(self, exposure: Exposure, randomness: Randomness) -> Finding:
        """Attack every target and say how often it went well."""
        reason = self.misfit(exposure)
        if reason is not None:
            raise WordingError(f"The attack {self.name!r} cannot be run. {reason}")
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


def _mean(values: np.ndarray) -> float:
    """Average in double precision; every value is a probability."""
    assert len(values)
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12
    return min(float(values.mean(dtype=np.float64)), 1.0)


attacks: Registry[Attack] = Registry("attack", "shoal.attacks")
"""Every attack by its name."""
