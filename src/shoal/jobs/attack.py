"""Simulate attackers on raw data or a release, and report their success rates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from shoal.attacks import Attack, Exposure, Finding, attacks
from shoal.data import Microdata, Ratings, Records, Role, Survey
from shoal.display import Displayed, Picture, Summary, Table
from shoal.errors import FileError, WordingError
from shoal.io import Data, Source
from shoal.io.folders.release import ReleaseFolder, is_release
from shoal.io.ratings.rating_dates import rating_dates
from shoal.io.schemas import GivenSchema, Schema
from shoal.models import PrivacyModel, promises
from shoal.progress import whole
from shoal.randomness import Randomness
from shoal.release import Certificate
from shoal.wording.format import format_count

from .phases import ATTACKING
from .read import read, read_outside, read_population
from .release_and_truth import GivenLedger, GivenRelease, ReleaseAndTruth, given_ledger, given_release

__all__ = ["AttackResult", "asked_attacks", "attack", "attacked", "exposed", "exposure_of", "refuse_unheeded"]


class _Claimed(TypedDict):
    """What a certificate says that attackers may use."""

    promises: tuple[PrivacyModel, ...]
    method: str


class _OtherPeople(TypedDict):
    """Tables of people beside those of the data."""

    population: Records | None
    outside: Records | None


def exposed(
    data: Data | ReleaseFolder,
    ledger: GivenLedger | None = None,
    *,
    schema: GivenSchema | None = None,
    also: Sequence[tuple[GivenRelease, GivenLedger]] = (),
    population: Data | None = None,
    outside: Data | None = None,
    dates: str | None = None,
) -> Exposure:
    """Read what is attacked, and the truth if there is a ledger.

    ``also`` are other releases about the same people, each with its ledger; ``population`` is a table of people from
    whom those of a published table were drawn; ``outside`` one of people who are not in it, for the control of attacks;
    ``dates`` is the column of raw ratings that says when they were given.
    """
    if not isinstance(data, ReleaseFolder) and not (isinstance(data, str | Path) and is_release(data)):
        if ledger is not None or also:
            raise WordingError("Only a release has a ledger, and can be joined with others.")
        source = read(data, schema)
        days = None if dates is None else _dates(data, source, dates)
        others = _others(population, outside, source.schema)
        return Exposure.of_itself(source.records, **others, dates=days)
    if schema is not None:
        raise WordingError("A release has its own schema.", "Leave out --schema.")
    if dates is not None:
        raise WordingError("Only raw ratings have dates; a release has none.")
    if ledger is None and also:
        raise WordingError("To join releases takes the ledger of each.", "Give --ledger.")
    release = given_release(data)
    truth = None if ledger is None else given_ledger(ledger)
    others = _others(population, outside, release.schema, () if truth is None else truth.person)
    if truth is None:
        return Exposure.of_itself(release.records, **_claimed(release.certificate), **others)
    pair = ReleaseAndTruth.of(release, truth)
    return replace(exposure_of(pair, [ReleaseAndTruth.read(*other) for other in also]), **others)


def exposure_of(pair: ReleaseAndTruth, also: Sequence[ReleaseAndTruth] = ()) -> Exposure:
    """Return a release that was read with its ledger as attackers meet it, beside others about the same people."""
    others = tuple(_joined(pair, other) for other in also)
    return Exposure(pair.original, pair.published, pair.place_of_each, also=others, **_claimed(pair.certificate))


def _dates(data: Data, source: Source, column: str) -> np.ndarray:
    if isinstance(data, Source):
        raise WordingError("Dates are read from a file or a frame, and these data were read already.", "Name the file.")
    return rating_dates(data, source, column)


def _others(
    population: Data | None,
    outside: Data | None,
    schema: Schema,
    person: tuple[str, ...] = (),
) -> _OtherPeople:
    return {
        "population": None if population is None else read_population(population, schema, person),
        "outside": None if outside is None else read_outside(outside, schema),
    }


def _claimed(certificate: Certificate) -> _Claimed:
    promised = tuple(promises.read(certified.promise) for certified in certificate.promises)
    return {"promises": promised, "method": certificate.method}


def _joined(pair: ReleaseAndTruth, other: ReleaseAndTruth) -> Exposure:
    """Return another release with the people of this truth: those who are in both, by their ids."""
    if pair.exact is not None or other.exact is not None:
        raise FileError("Releases of sets whose items are generalized cannot be joined with others yet.")
    original = pair.original
    mine, theirs = _ids(original), _ids(other.original)
    if original.kind != other.original.kind or mine is None or theirs is None:
        raise FileError("The releases cannot be joined: their ledgers do not say who is who by the same ids.")
    row_of = {record: row for row, record in enumerate(_numbered(theirs))}
    rows = np.array([row_of.get(record, -1) for record in _numbered(mine)], np.int64)
    if (rows < 0).all():
        raise FileError("The releases have nobody in common.", "Are they about the same people?")
    place = np.where(rows >= 0, other.place_of_each[rows], -1)
    return Exposure(original, other.published, place, **_claimed(other.certificate))


def _numbered(ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Number the records of each person: the first of somebody in one release is the first in another."""
    times: dict[str, int] = {}
    for person in ids:
        times[person] = times.get(person, -1) + 1
        yield person, times[person]


def _ids(records: Records) -> list[str] | None:
    """Return what people are identified by: user ids, or the identifiers of a table; None where a table has none."""
    ratings = records.ratings if isinstance(records, Survey) else records
    if isinstance(ratings, Ratings):
        return ratings.users.values.cast(str).to_list()
    assert isinstance(records, Microdata)
    identifiers = [column.values.cast(str).to_list() for column in records.with_role(Role.IDENTIFIER)]
    return ["\t".join(map(str, ids)) for ids in zip(*identifiers, strict=True)] or None


@dataclass(frozen=True, repr=False)
class AttackResult(Displayed):
    """What each attacker achieved, and why some did not try."""

    findings: tuple[Finding, ...]
    reasons: Mapping[str, str]
    """Why an attack that belongs to the usual ones was not run, by its wording."""

    @property
    def table(self) -> Table:
        """A line an attack: its success, that of guessing and of the control, and the risk, with their intervals."""
        head = ("attack", "success", "from", "to", "guessing", "control", "risk", "from", "to")
        rows = [
            [
                each.attack,
                *(f"{rate:.2%}" for rate in (each.main, *each.interval, each.baseline, each.control)),
                *(f"{rate:.2%}" for rate in (each.risk, *each.risk_interval)),
            ]
            for each in self.findings
        ]
        return Table.of("Attacks, with 95 % confidence intervals", head, rows, most=len(rows))

    def charts(self) -> Iterator[Picture]:
        """Draw all attacks in one chart, if there are any."""
        from shoal.pages.attack_rates import attack_rates_picture

        if self.findings:
            yield attack_rates_picture(self.findings)

    def _summary(self) -> Summary:
        title = f"AttackResult: {format_count(len(self.findings), 'attack')}"
        unfit: dict[str, list[str]] = {}
        for wording, why in self.reasons.items():
            unfit.setdefault(why, []).append(wording)
        missing = tuple(f"not run: {', '.join(wordings)}. {why}" for why, wordings in unfit.items())
        return Summary(title, tables=(self.table,) if self.findings else (), sentences=missing)

    def _pictures(self) -> Iterator[Picture]:
        yield from self.charts()

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"attacks": [finding.to_json() for finding in self.findings], "not_run": dict(self.reasons)}


@whole("attacking", *ATTACKING)
def attack(
    data: Data | ReleaseFolder,
    ledger: GivenLedger | None = None,
    wordings: str | Attack | Sequence[str | Attack] = (),
    *,
    schema: GivenSchema | None = None,
    also: Sequence[tuple[GivenRelease, GivenLedger]] = (),
    population: Data | None = None,
    outside: Data | None = None,
    dates: str | None = None,
    seed: int = 0,
) -> AttackResult:
    """Attack raw data or a release, with the ledger of its owner as the truth.

    Without wordings, by every attack that fits, as is usual for it. See :func:`.exposed` for the other settings.
    """
    asked = asked_attacks(wordings)
    refuse_unheeded(asked, also=also, population=population, outside=outside, dates=dates)
    exposure = exposed(data, ledger, schema=schema, also=also, population=population, outside=outside, dates=dates)
    return attacked(exposure, asked, seed=seed)


def asked_attacks(wordings: str | Attack | Sequence[str | Attack]) -> tuple[Attack, ...]:
    """Return the attacks that are asked for, one or several, each an object or its wording."""
    several = (wordings,) if isinstance(wordings, str | Attack) else wordings
    return tuple(each if isinstance(each, Attack) else attacks.read(each) for each in several)


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
    for each in (one for family in attacks for one in family.usual(exposure.of_kinds(family.kinds))):
        reason = each.misfit(exposure)
        if reason is None:
            findings.append(each.run(exposure, Randomness(seed)))
        else:
            reasons[str(each)] = reason
    return AttackResult(tuple(findings), reasons)
