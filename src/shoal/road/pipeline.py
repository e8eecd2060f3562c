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

from shoal.anonymizers import Allowance, Anonymizer, Recoding
from shoal.data import Column, Microdata, Ratings, Records, Role, Survey, Vocabulary, as_published, part_of
from shoal.data.fingerprint import fingerprint
from shoal.engines import Engine, Judgment, LocalEngine, judge, refuse_misfits
from shoal.engines.people_by_group import dominated_groups, records_by_group, stated_people
from shoal.errors import InternalError, PromiseNotKept, WordingError
from shoal.evidence import Grouping, NeedGroups
from shoal.models import PrivacyModel, promised_k
from shoal.progress import stage
from shoal.randomness import Randomness
from shoal.release import Ledger, PublishedRecords, pseudonym_name
from shoal.utility import QUICK, Comparison, measured, nothing_left

from .acceptance import EMPTY, VACUOUS, audited, refuse_empty, refuse_unknown, refuse_vacuous
from .certificate import certificate_of
from .people import refuse_published, remarks_on_dominated
from .withholding import rows_to_publish

__all__ = ["publish"]


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
) -> tuple[PublishedRecords, Ledger]:
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
    refuse_published(records)
    refuse_misfits(records, models)
    refuse_unknown(accept, records)
    refuse_vacuous(
        [(model, model.caveat(part_of(records, model.part))) for model in models], accept
    )  # before the long work
    recoding = _recoded(records, models, method, engine, randomness, withhold)
    if expand:
        recoding = _expanded(recoding, method)
    recoded, stands_for = recoding.records, recoding.stands_for
    notes, remarks = recoding.notes, recoding.remarks
    _refuse_changed_roles(records, recoded, method)
    kept = rows_to_publish(recoded, recoding.withheld, models, engine, withhold)
    randomness = randomness.with_secret()
    with stage("shuffling records"):
        shuffling = randomness.bound_to(fingerprint(_leaving(recoded)).encode() + kept.tobytes())
        kept = kept[shuffling.permutation(len(kept))]
        pseudonyms = shuffling.pseudonyms(len(kept))
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
    refuse_vacuous(list(zip(models, caveats, strict=True)), accept)
    grouping = judgment.groups.grouping
    accepted = audited(published, records, origins, judgment, models, accept)
    sizes = records_by_group(published, grouping)
    k, replaced = promised_k(models), bool(method.instead_of_ratings)
    whole, exact = as_published(records, published)
    comparison = Comparison(whole, origins, published, sizes, places=places, k=k, replaced=replaced, exact=exact)
    with stage("reading labels"):
        empty = nothing_left(comparison)
    refuse_empty(accept, empty=empty)
    vacuous = any(caveat is not None and caveat.vacuous for caveat in caveats)
    words = tuple(word for word, needed in ((VACUOUS, vacuous), (EMPTY, empty)) if needed)
    certified = certificate_of(published, models, judgment.verdicts, method, judgment.n_groups)
    certificate = replace(certified, accepted_against_audit=accepted, accepted=words)
    with stage("measuring"):
        report = {**measured(comparison, QUICK).values, **notes}
    histogram = _group_sizes(judgment)
    ledger = Ledger(records, origins, pseudonyms, report, places, remarks, histogram, randomness.secret)
    return PublishedRecords(published, certificate), ledger


def _recoded(
    records: Records,
    models: Sequence[PrivacyModel],
    method: Anonymizer,
    engine: Engine,
    randomness: Randomness,
    withhold: Fraction,
) -> Recoding:
    """Let the method recode the records."""
    with stage(f"anonymizing ({method.name})"):
        max_withheld = Allowance.of_share(records, withhold if 0 <= withhold < 1 else Fraction(0))
        chance = _for_method(randomness, method, models)
        return method.recode(records, models, engine, chance, max_withheld=max_withheld)


def _expanded(recoding: Recoding, method: Anonymizer) -> Recoding:
    """Return the recoding with a record for each person in the place of one that stands for several."""
    if recoding.stands_for is None:
        raise WordingError(
            f"The method {method.name!r} publishes every record for one person: there is nothing to expand.",
            "Leave out --expand.",
        )
    assert isinstance(recoding.records, Ratings)
    return replace(recoding, records=recoding.records.of_each(recoding.stands_for), stands_for=None)


def _group_sizes(judgment: Judgment) -> dict[int, int]:
    """Return how many equivalence classes there are of each size."""
    sizes, counts = np.unique(judgment.groups.counts.sizes, return_counts=True)
    return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def _for_method(randomness: Randomness, method: Anonymizer, models: Sequence[PrivacyModel]) -> Randomness:
    """Return chance that is another for every other method and promise, though an owner use a secret again.

    Otherwise two releases of the same people would separate equal records in the same way, and reveal more together.
    """
    if randomness.secret is None:
        return randomness
    return randomness.bound_to(" ".join(map(str, [method, *models])).encode())


def _placed(kept: np.ndarray, stands_for: np.ndarray, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the original rows of those for whom a kept row stands, and where in the release it is."""
    places = np.full(n_rows, -1, np.int64)
    places[kept] = np.arange(len(kept))
    of_each = places[stands_for]
    origins = np.flatnonzero(of_each >= 0)
    return origins, of_each[origins]


def _refuse_changed_roles(records: Records, recoded: Records, method: Anonymizer) -> None:
    """Refuse recoded records whose observable and sensitive parts are not the owner's: promises are judged on them."""
    if _roles(as_published(records, recoded)[0]) != _roles(recoded):
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
    if isinstance(records, Survey):
        return records.kind, _roles(records.table), _roles(records.ratings)
    raise InternalError(f"The road does not know records of kind {records.kind!r}.")


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
    return () if k is None else remarks_on_dominated(dominated_groups(table, grouping, k), k)


def _leaving(records: Records) -> Records:
    """Return the records without the columns that do not leave."""
    if isinstance(records, Survey):
        table = _leaving(records.table)
        assert isinstance(table, Microdata)
        return replace(records, table=table)
    if not isinstance(records, Microdata):
        return records
    leaving = tuple(column for column in records.columns if column.role.leaves)
    return replace(records, columns=leaving or records.columns)


def _stripped(records: Records, pseudonyms: np.ndarray) -> Records:
    """Return the records without anything that must not leave, each under its pseudonym."""
    names = pl.Series(pseudonyms).cast(pl.String)
    if isinstance(records, Ratings):
        return records.renamed(Vocabulary(names)).rebuilt()
    table = records.table if isinstance(records, Survey) else records
    assert isinstance(table, Microdata)
    leaving = tuple(column.compacted() for column in table.columns if column.role.leaves)
    if isinstance(records, Survey):
        return replace(records, table=Microdata(leaving), ratings=records.ratings.renamed(Vocabulary(names)).rebuilt())
    name = pseudonym_name([column.name for column in leaving])
    return Microdata((Column.unencoded(name, Role.IDENTIFIER, names), *leaving), unit=table.unit)


def _checked(published: Records, models: Sequence[PrivacyModel], engine: Engine, n_people: int) -> Judgment:
    """Judge the promises on the records as published; raise if one does not hold."""
    judgment = judge(published, models, engine)
    for verdict in judgment.verdicts:
        if not verdict.holds:
            raise PromiseNotKept(
                f"{verdict.promise} does not hold for {min(verdict.violations, n_people):,} of {n_people:,} "
                f"{'people' if n_people != len(published) else 'records'} (reached: {verdict.reached}); nothing was "
                "published." + "".join(f" {why}" for why in verdict.why),
                "Allow records to be withheld (--withhold 2%), promise less, or choose another method.",
            )
    return judgment
