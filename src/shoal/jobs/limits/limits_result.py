"""What the limits of k, ε and l are, and how they are said."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shoal.display import Displayed, Summary
from shoal.models import PrivacyModel
from shoal.models.k_epsilon import Semantics
from shoal.wording.format import format_count

__all__ = ["LimitsResult"]

_LETTERS = ("k", "epsilon", "l")
_BEST = {"epsilon": "smallest epsilon", "k": "largest k", "l": "largest l"}


@dataclass(frozen=True, repr=False)
class LimitsResult(Displayed):
    """What was given, and the best that goes with it; nothing where it cannot be met."""

    given: Mapping[str, int | Fraction]
    k: int | None
    epsilon: Fraction | None
    l: Fraction | None  # noqa: E741 - the letter of the literature
    """Rounded down to millionths where it was sought; nothing too where no issue is sensitive."""
    semantics: Semantics
    promise: PrivacyModel | None
    """The promise these make together; nothing where they make none."""
    proven: bool
    """Whether nothing better exists for certain; by neighborhoods it always is so."""
    records: int
    seconds: float
    reasons: tuple[str, ...] = ()
    """Why something sought was not found, in sentences."""
    span: Fraction = Fraction(0)
    """The epsilon from which on nothing is said of how people rated."""
    vacuous_from: Fraction = Fraction(0)
    """The epsilon from which on nothing is said of answers at all."""
    joined: bool = False
    """Whether people are compared within classes of equal demographics."""

    @property
    def vacuous(self) -> bool:
        """Whether the epsilon given or found asks nothing of these records."""
        return not self.joined and self.epsilon is not None and self.epsilon >= self.vacuous_from

    @property
    def question(self) -> str:
        """What the limits are of, in words."""
        given = " and ".join(f"{letter} = {_in_full(value)}" for letter, value in self.given.items())
        groups = ", in groups" if self.semantics == "partition" else ""
        within = ", among people of equal demographics" if self.joined else ""
        return f"{format_count(self.records, 'record')}{groups}{within}, given {given}"

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """What was sought, in words, each with what was found."""
        return tuple(
            (best, _in_full(getattr(self, letter))) for letter, best in _BEST.items() if letter not in self.given
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else is to be said of the answers, in sentences."""
        absent = self.l is None and not self.reasons
        return (
            *self.reasons,
            *(("No issue is declared sensitive, so there is no l.",) if absent else ()),
            *(("With k = 1 nobody is hidden.",) if self.k == 1 else ()),
            *(() if self.proven else ("Not every split into groups was tried, so something better may exist.",)),
        )

    @property
    def vacuity(self) -> str:
        """From which epsilon on less is said than it seems."""
        if self.joined:
            return (
                f"From epsilon = {_in_full(self.vacuous_from)} on, any two people of equal demographics are near, and "
                "every answer is about demographics alone."
            )
        if self.span == self.vacuous_from:
            return f"From epsilon = {_in_full(self.span)} on, any two records are near and every answer is vacuous."
        return (
            f"From epsilon = {_in_full(self.span)} on, only which issues people rated is protected, not how; "
            f"from {_in_full(self.vacuous_from)} on, any two records are near and every answer is vacuous."
        )

    def _summary(self) -> Summary:
        facts = self.answers if self.promise is None else (*self.answers, ("holds", str(self.promise)))
        empty = ("These answers protect nobody.",) if self.vacuous else ()
        return Summary(f"LimitsResult: {self.question}", None, facts, sentences=(*self.remarks, *empty, self.vacuity))

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published: dict[str, Any] = {
            "given": {letter: _plain(value) for letter, value in self.given.items()},
            **{letter: _plain(getattr(self, letter)) for letter in _LETTERS},
            "semantics": self.semantics,
            "promise": None if self.promise is None else str(self.promise),
            "vacuous": self.vacuous,
            "span": _plain(self.span),
            "vacuous_from": _plain(self.vacuous_from),
            "records": self.records,
            "seconds": round(self.seconds, 3),
        }
        if self.semantics == "partition":
            published["proven"] = self.proven
        return {**published, "reasons": list(self.reasons)} if self.reasons else published


def _plain(number: int | Fraction | None) -> int | float | None:
    """Return a number as JSON has it."""
    if isinstance(number, Fraction):
        return int(number) if number.denominator == 1 else float(number)
    return number


def _in_full(number: int | Fraction | None) -> str:
    """Write a number in full: a rounded one might not hold."""
    if number is None:
        return "–"
    return f"{number:,}" if isinstance(number, int) else f"{float(number):.15g}"
