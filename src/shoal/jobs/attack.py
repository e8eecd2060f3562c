"""Simulate attackers, and say how far they get."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.attacks import Attack, Exposure, Finding, attacks
from shoal.errors import WordingError
from shoal.io import Source
from shoal.io.schema import Schema
from shoal.randomness import Randomness

from .exposed import exposed

__all__ = ["AttackResult", "attack", "attacked", "refuse_unheeded"]


@dataclass(frozen=True)
class AttackResult:
    """What each attacker achieved, and why some did not try."""

    findings: tuple[Finding, ...]
    reasons: Mapping[str, str]
    """Why an attack that belongs to the usual ones was not run, by its wording."""

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {"attacks": [finding.to_json() for finding in self.findings], "not_run": dict(self.reasons)}


def attack(
    data: str | Path | Source,
    ledger: str | Path | None = None,
    wordings: Sequence[str | Attack] = (),
    *,
    schema: Schema | str | Path | None = None,
    also: Sequence[tuple[str | Path, str | Path]] = (),
    population: str | Path | Source | None = None,
    outside: str | Path | Source | None = None,
    dates: str | None = None,
    seed: int = 0,
) -> AttackResult:
    """Attack raw data or a release, with the ledger of its owner as the truth.

    Without wordings, by every attack that fits, as is usual for it. See :func:`.exposed` for the other settings.
    """
    asked = tuple(each if isinstance(each, Attack) else attacks.read(each) for each in wordings)
    refuse_unheeded(asked, also=also, population=population, outside=outside, dates=dates)
    exposure = exposed(data, ledger, schema=schema, also=also, population=population, outside=outside, dates=dates)
    return attacked(exposure, asked, seed=seed)


def refuse_unheeded(asked: Sequence[Attack], **given: object) -> None:
    """Refuse what none of the attacks that are asked for takes into account."""
    heeded = {name for each in asked for name in each.heeds}
    for name, value in given.items():
        if asked and value and name not in heeded:
            raise WordingError(
                f"None of these attacks takes {name!r} into account.", "Leave it out, or name one that does."
            )


def attacked(exposure: Exposure, asked: Sequence[Attack] = (), *, seed: int = 0) -> AttackResult:
    """Run attacks, or all the usual ones, on what is exposed."""
    if asked:
        return AttackResult(tuple(each.run(exposure, Randomness(seed)) for each in asked), {})
    findings, reasons = [], {}
    for each in (one for family in attacks for one in family.usual(exposure)):
        reason = each.misfit(exposure)
        if reason is None:
            findings.append(each.run(exposure, Randomness(seed)))
        else:
            reasons[str(each)] = reason
    return AttackResult(tuple(findings), reasons)
