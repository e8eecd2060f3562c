"""The one road out.

recode → withhold → strip → shuffle → regroup *from the published data* → count → check → audit → measure

Anonymizers may be many and may be wrong. Nothing leaves except through :func:`publish`, and what leaves is judged as it
leaves: a promise that does not hold on it raises, and there is no release.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl

from shoal.data.fingerprint import fingerprint
from shoal.engines.people_by_group import dominated_groups, records_by_group, stated_people
from shoal.models import promised_k

from .anonymizers import Allowance, Anonymizer
from .column_audit import audit_columns, refuse_unaccepted
from .data import Column, Microdata, Ratings, Records, Role, Vocabulary
from .engines import Engine, Judgment, LocalEngine, judge, refuse_misfits
from .errors import InternalError, NothingLeft, PromiseNotKept, VacuousPromise, WordingError
from .evidence import Grouping, NeedGroups, people_among
from .models import Caveat, PrivacyModel
from .progress import stage
from .randomness import Randomness
from .release import Certificate, CertifiedPromise, Ledger, Release, n_published, unit_of
from .utility import QUICK, Comparison, measured, nothing_left

__all__ = ["publish"]

VACUOUS = "vacuous"
"""Accepts promises that ask nothing of the records."""
EMPTY = "empty"
"""Accepts a release in which nothing is left of what others may know."""


def publish(
    records: Records,
    models: Sequence[PrivacyModel],
    method: Anonymizer,
    *,
    engine: Engine | None = None,
    randomness: Randomness | None = None,
    withhold: Fraction = Fraction(0),
    accept: Collection[str] = (),
    expand: bool = False,
) -> tuple[Release, Ledger]:
    """Make a release that keeps the promises, or raise.

    ``withhold`` is the share of the records that may be left out. ``accept`` names what is published all the same: the
    columns that the audit finds revealing; ``vacuous``, a promise that asks nothing of the records; ``empty``, a
    release in which no rating, or no value of a quasi-identifier, is left. With ``expand``, records that stand for
    several people are published once for each of them, and not once with their number.

    Order and pseudonyms are drawn with a secret, which the ledger keeps: that of ``randomness``, or a new one. A method
    draws by what it is given, so what is to leave is given a secret, and a seed alone is for trials.
    """
    engine = engine or LocalEngine()
    randomness = randomness or Randomness()
    if not models:
        raise WordingError("A release needs at least one promise.", "Add --model k-anonymity:k=5, for example.")
    _refuse_published(records)
    refuse_misfits(records, models)
    _refuse_unknown(accept, records)
    _refuse_vacuous([(model, model.caveat(records)) for model in models], accept)  # before the long work
    with stage(f"anonymizing ({method.name})"):
        max_withheld = Allowance.of_share(records, withhold if 0 <= withhold < 1 else Fraction(0))
        chance = _for_method(randomness, method, models)
        recoding = method.recode(records, models, engine, chance, max_withheld=max_withheld)
    recoded, stands_for = recoding.records, recoding.stands_for
    notes, remarks = recoding.notes, recoding.remarks
    if expand and stands_for is None:
        raise WordingError(
            f"The method {method.name!r} publishes every record for one person: there is nothing to expand.",
            "Leave out --expand.",
        )
    if stands_for is not None and expand:
        assert isinstance(recoded, Ratings)
        recoded, stands_for = recoded.of_each(stands_for), None
    _refuse_changed_roles(records, recoded, method)
    kept = _withheld(recoded, recoding.withheld, models, engine, withhold)
    randomness = randomness.with_secret()
    shuffling = randomness.bound_to(fingerprint(recoded).encode() + kept.tobytes())
    kept = kept[shuffling.permutation(len(kept))]
    pseudonyms = sorted(shuffling.pseudonyms(len(kept)))  # records are in random order already, and read faster so
    origins, places = (kept, None) if stands_for is None else _placed(kept, stands_for, len(recoded))
    leaving = recoded.take(kept)
    published = _stripped(leaving, pseudonyms)
    n_people = leaving.n_people
    if isinstance(leaving, Microdata) and leaving.persons is not None:
        published, people_remarks = _with_stated_people(published, leaving, models, engine)
        remarks = (*remarks, *people_remarks)
    del recoding, recoded, leaving  # they may take as much memory as what is published
    judgment = _checked(published, models, engine, n_people)
    caveats = [verdict.caveat for verdict in judgment.verdicts]
    _refuse_vacuous(list(zip(models, caveats, strict=True)), accept)
    grouping = judgment.groups.grouping
    accepted = _audited(published, records, origins, grouping, models, accept)
    sizes = records_by_group(published, grouping)
    k, replaced = promised_k(models), bool(method.instead_of_ratings)
    comparison = Comparison(records, origins, published, sizes, places=places, k=k, replaced=replaced)
    empty = nothing_left(comparison)
    _refuse_empty(accept, empty=empty)
    vacuous = any(caveat is not None and caveat.vacuous for caveat in caveats)
    certificate = Certificate(
        tuple(
            CertifiedPromise(verdict.promise, model.meaning, verdict.level, caveat.sentence if caveat else "")
            for model, verdict, caveat in zip(models, judgment.verdicts, caveats, strict=True)
        ),
        str(method),
        n_published(published),
        judgment.n_groups,
        accepted,
        unit=unit_of(published),
        accepted=tuple(word for word, needed in ((VACUOUS, vacuous), (EMPTY, empty)) if needed),
    )
    with stage("measuring"):
        report = {**measured(comparison, QUICK).values, **notes}
    sizes_and_counts = np.unique(judgment.groups.counts.sizes, return_counts=True)
    histogram = dict(zip(*(part.tolist() for part in sizes_and_counts), strict=True))
    ledger = Ledger(records, origins, tuple(pseudonyms), report, places, remarks, histogram, randomness.secret)
    return Release(published, certificate), ledger


def _for_method(randomness: Randomness, method: Anonymizer, models: Sequence[PrivacyModel]) -> Randomness:
    """Return chance that is another for every other method and promise, though an owner use a secret again.

    Otherwise two releases of the same people would separate equal records in the same way, and reveal more together.
    """
    if randomness.secret is None:
        return randomness
    return randomness.bound_to(" ".join(map(str, [method, *models])).encode())


def _refuse_published(records: Records) -> None:
    """Refuse records of which only the numbers of people behind them are known: whose they are is in the originals."""
    several = records.people if isinstance(records, Ratings) else None
    if several is not None or records.stated is not None:
        raise WordingError(
            "These records were published: whose they are is no longer known.", "Publish from the original data."
        )


def _placed(kept: np.ndarray, stands_for: np.ndarray, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the original rows of those for whom a kept row stands, and where in the release it is."""
    places = np.full(n_rows, -1, np.int64)
    places[kept] = np.arange(len(kept))
    of_each = places[stands_for]
    origins = np.flatnonzero(of_each >= 0)
    return origins, of_each[origins]


def _refuse_changed_roles(records: Records, recoded: Records, method: Anonymizer) -> None:
    """Refuse recoded records whose observable and sensitive parts are not the owner's: promises are judged on them."""
    if _roles(records) != _roles(recoded):
        raise InternalError(
            f"The method {method.name!r} changed the role of columns or items; nothing was published.",
            "Report this, or choose another method.",
        )


def _roles(records: Records) -> object:
    if isinstance(records, Ratings):
        sides = (records.observable, records.sensitive)
        ends = records.scale.lowest, records.scale.highest
        return records.kind, ends, [matrix.items.values.cast(pl.String).to_list() for matrix in sides]
    if isinstance(records, Microdata):
        return records.kind, [(column.name, column.role) for column in records.columns]
    raise InternalError(f"The road does not know records of kind {records.kind!r}.")


def _refuse_vacuous(promises: Sequence[tuple[PrivacyModel, Caveat | None]], accept: Collection[str]) -> None:
    """Refuse a promise that asks nothing of the records, unless the owner accepts that."""
    for model, caveat in promises:
        if caveat is not None and caveat.vacuous and VACUOUS not in accept:
            raise VacuousPromise(
                f"{model} would protect nobody; nothing was published. {caveat.sentence}",
                f"Promise a smaller epsilon, or accept it (--accept {VACUOUS}).",
            )


def _refuse_empty(accept: Collection[str], *, empty: bool) -> None:
    """Refuse a release in which nothing is left of what others may know, unless the owner accepts that."""
    if empty and EMPTY not in accept:
        raise NothingLeft(
            "Nothing would be left: no rating that others may know, and no value of a quasi-identifier, would be "
            "published of anybody; nothing was published.",
            f"Promise less, allow records to be withheld, choose another method, or accept it (--accept {EMPTY}).",
        )


def _refuse_unknown(accept: Collection[str], records: Records) -> None:
    """Refuse to accept what is not there: a name written wrongly must not pass for a decision."""
    known = (*records.names, EMPTY) if isinstance(records, Microdata) else (VACUOUS, EMPTY)
    for name in accept:
        if name == VACUOUS and name not in known:
            raise WordingError(
                f"The word {VACUOUS} applies to ratings alone: no promise on a table is vacuous.",
                f"Known are: {', '.join(known)}.",
            )
        if name not in known:
            raise WordingError(f"There is no column {name!r} to accept.", f"Known are: {', '.join(known)}.")
        if isinstance(records, Microdata) and name != EMPTY and records[name].role is not Role.INSENSITIVE:
            raise WordingError(
                f"The column {name!r} is not insensitive, so there is nothing to accept.",
                f"Only insensitive columns can be accepted, and the word {EMPTY}.",
            )


def _withheld(
    records: Records, left_out: np.ndarray | None, models: Sequence[PrivacyModel], engine: Engine, share: Fraction
) -> np.ndarray:
    """Return the rows that may be published: those that break a promise are left out as far as the budget allows.

    It begins without those that the method itself has ``left_out``, a mask or None: they are of the budget.

    Leaving a record out can rob another of a neighbor, so this is repeated until nothing breaks. The budget is a share
    of the records and, where people have several, of the people too: somebody counts who loses a record.
    """
    if not 0 <= share < 1:
        raise WordingError("The share of records to withhold must be at least 0 and below 1.", "Write --withhold 2%.")
    rows, left = np.arange(len(records)), records
    if left_out is not None:
        _refuse_overspent(records, left_out, share)
        rows = np.flatnonzero(~left_out)
        left = records.take(rows)
    n = n_published(records)
    budget = int(share * n)
    while budget > 0:
        judgment = judge(left, models, engine)
        if judgment.holds:
            break
        staying = np.flatnonzero(~judgment.violating)
        rows, left = rows[staying], left.take(staying)
        gone = n - n_published(left)
        if isinstance(records, Microdata) and records.persons is not None:
            _refuse_too_many(records, rows, share)
        if gone > budget or left.n_people < max(model.fewest_records for model in models):
            raise PromiseNotKept(
                f"At least {gone:,} of the {n:,} records would have to be withheld, more than the {budget:,} allowed.",
                "Allow more, promise less, or choose another method.",
            )
    return rows


def _refuse_overspent(records: Records, left_out: np.ndarray, share: Fraction) -> None:
    """Refuse what a method made that withholds more records, or takes records from more people, than allowed."""
    persons = records.persons if isinstance(records, Microdata) else None
    too_many = np.count_nonzero(left_out) > int(share * len(records))
    if too_many or people_among(left_out, persons) > int(share * records.n_people):
        raise InternalError(
            "The method withheld more than was allowed; nothing was published.",
            "Report this, or choose another method.",
        )


def _refuse_too_many(table: Microdata, staying: np.ndarray, share: Fraction) -> None:
    """Refuse to take records from more people than the share allows, however many records others have."""
    gone = np.ones(len(table), bool)
    gone[staying] = False
    people, allowed = people_among(gone, table.persons), int(share * table.n_people)
    if people > allowed:
        raise PromiseNotKept(
            f"Records of at least {people:,} of the {table.n_people:,} people would have to be withheld, more than the "
            f"{allowed:,} allowed.",
            "Allow more, promise less, or choose another method.",
        )


def _with_stated_people(
    published: Records, leaving: Microdata, models: Sequence[PrivacyModel], engine: Engine
) -> tuple[Records, tuple[str, ...]]:
    """Return what is published with how many people each class is of, and what its owner should know of them.

    Whose records they are does not leave: not even inside a class are the records of one person linked, because
    whoever knows how often somebody occurs could recognize them by their number.
    """
    assert isinstance(published, Microdata)
    grouping = engine.group(leaving)
    values = any(isinstance(model.need, NeedGroups) and model.need.amounts for model in models)
    stated = stated_people(leaving, grouping, values=values)
    return replace(published, stated=stated), _remarks_on_people(leaving, grouping, promised_k(models))


def _remarks_on_people(table: Microdata, grouping: Grouping, k: int | None) -> tuple[str, ...]:
    """Say where one person has a large share of a class: whoever knows how many records they have finds one easily."""
    found = 0 if k is None else dominated_groups(table, grouping, k)
    if not found:
        return ()
    classes = "one class" if found == 1 else f"{found:,} classes"
    return (
        f"In {classes} more than 1 of {k} records are of one person: whoever knows how many records somebody has finds "
        f"one of them with a chance above 1 in {k}. The promises count people, and do not cover that.",
    )


def _stripped(records: Records, pseudonyms: Sequence[str]) -> Records:
    """Return the records without anything that must not leave, each under its pseudonym."""
    names = pl.Series(pseudonyms, dtype=pl.String)
    if isinstance(records, Ratings):
        return records.renamed(Vocabulary(names))
    assert isinstance(records, Microdata)
    leaving = tuple(column.compacted() for column in records.columns if column.role.leaves)
    taken = {column.name for column in leaving}
    name = next(name for name in ("record", "pseudonym", *(f"record {i}" for i in range(2, 9999))) if name not in taken)
    return Microdata((Column.encode(name, Role.IDENTIFIER, names), *leaving), unit=records.unit)


def _checked(published: Records, models: Sequence[PrivacyModel], engine: Engine, n_people: int) -> Judgment:
    """Judge the promises on the records as published; raise if one does not hold."""
    judgment = judge(published, models, engine)
    for verdict in judgment.verdicts:
        if not verdict.holds:
            reached = ", ".join(f"{key} = {value}" for key, value in verdict.level.items())
            raise PromiseNotKept(
                f"{verdict.promise} does not hold for {min(verdict.violations, n_people):,} of {n_people:,} "
                f"{'people' if n_people != len(published) else 'records'} (reached: {reached}); nothing was published."
                + "".join(f" {why}" for why in verdict.why),
                "Allow records to be withheld (--withhold 2%), promise less, or choose another method.",
            )
    return judgment


def _audited(
    published: Records,
    records: Records,
    origins: np.ndarray,
    grouping: Grouping,
    models: Sequence[PrivacyModel],
    accept: Collection[str],
) -> tuple[str, ...]:
    """Refuse columns outside the promises that undo them, unless accepted by name; return those that were accepted."""
    if not isinstance(published, Microdata) or not published.with_role(Role.INSENSITIVE):
        return ()
    assert isinstance(records, Microdata)
    with stage("auditing columns"):
        objections = audit_columns(published, records.take(origins), grouping, promised_k(models) or 2)
        return refuse_unaccepted(objections, accept)
