"""The whole of a job: its phases, and how much of it is done, so that one bar can be drawn of all its stages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .stages import Listener, Stage, enclosing, hearing, stage, under_way

__all__ = ["Phase", "whole"]

_STEPS = 1000
"""The total of a whole."""


@dataclass(frozen=True)
class Phase:
    """A part of a job that usually takes so large a share of its time."""

    weight: float
    begins: tuple[str, ...]
    """How the names of its stages begin. Those of which no phase knows count for the one that is under way."""


class _Whole(Stage):
    """A stage that moves on as the stages within it do."""

    def __init__(self, listener: Listener | None, name: str, phases: Sequence[Phase]) -> None:
        self._phases, self._phase = phases, 0
        self._all = sum(each.weight for each in phases)
        super().__init__(listener, name, _STEPS)

    def part_advanced(self, part: Stage) -> None:
        """Move on to the phase of a stage, and as far within it as the stage is."""
        named = (n for n, phase in enumerate(self._phases) if n >= self._phase and part.name.startswith(phase.begins))
        self._phase = next(named, self._phase)
        within = min(part.done / part.total, 1.0) if part.total else 0.0
        passed = sum(each.weight for each in self._phases[: self._phase])
        share = (passed + within * self._phases[self._phase].weight) / self._all
        self._advance_to(int(share * _STEPS))

    def _advance_to(self, steps: int) -> None:
        if steps > self.done:  # several stages of a phase each begin at nothing: the bar never goes back
            self.advance(steps - self.done)

    def complete(self) -> None:
        """Say that all is done."""
        self._advance_to(_STEPS)


@contextmanager
def whole(name: str, *phases: Phase) -> Iterator[None]:
    """Announce a job by its phases; within another job it is a stage like others, as that one's phases count."""
    if enclosing() is not None:
        with stage(name):
            yield
        return
    job = _Whole(hearing(), name, phases)
    with under_way(job):
        yield
        job.complete()
