"""The laws of anonymizers: the result may be of little use, but it is about the same people and says nothing false."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import road
from shoal.anonymizers import Allowance, Anonymizer, methods
from shoal.data import PARTS, Column, Microdata, Ratings, Records, Role, part_of
from shoal.engines import LocalEngine, judge
from shoal.errors import GuaranteeError, InputError
from shoal.models import PrivacyModel, promises
from shoal.randomness import Randomness
from shoal.wording import Registry

from .check_wording import check_wording
from .strategies import promises_on, records

__all__ = ["check_anonymizer", "covers"]


Holds = Callable[[Records, PrivacyModel], bool]
"""Decides, person by person and sharing no code with the library, whether published records keep a promise."""


def check_anonymizer(
    method: Anonymizer,
    *,
    registry: Registry[Anonymizer] = methods,
    models: Callable[[Records], list[str]] = promises_on,
    holds: Holds | None = None,
    examples: int = 60,
) -> None:
    """Check every law of anonymizers on one method.

    * It is written and read back as itself.
    * It returns as many records as it got, in the same order, and changes only what is observable; or it says which
      record stands for whom, and each record for how many people it stands.
    * On tables and demographics, if it says that it is ``truthful``, every published label covers the original value.
    * What it withholds of a table itself is within the allowance, in records and in people.
    * On the road out it ends in a release that keeps the promises, or in a refusal, and in nothing else.

    ``models`` returns the wordings of promises that can be asked of records.
    """
    check_wording(method, registry)
    for kind in sorted(method.kinds):
        _check_recoding(method, kind, models, examples)
        _check_road(method, kind, models, holds or _judged, examples)


def _check_recoding(method: Anonymizer, kind: str, models: Callable[[Records], list[str]], examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(records(kind), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        asked = promises.read(choice.draw(st.sampled_from(models(data))))
        allowance = Allowance.of_records(data, choice.draw(st.integers(0, len(data) // 3)))
        try:
            recoding = method.recode(data, [asked], LocalEngine(), Randomness(1), max_withheld=allowance)
        except (InputError, GuaranteeError):
            return
        made = recoding.records
        if recoding.stands_for is not None:
            _check_profiles(data, made, recoding.stands_for)
            return
        assert len(made) == len(data), "an anonymizer must give back as many records as it got"
        assert made.kind == data.kind
        withheld = np.zeros(len(data), bool) if recoding.withheld is None else recoding.withheld
        for part in PARTS:  # records that are no survey are their own parts
            before, after = part_of(data, part), part_of(made, part)
            if isinstance(before, Ratings) and isinstance(after, Ratings):
                _check_ratings(before, after, replaced=bool(method.instead_of_ratings))
            if isinstance(before, Microdata) and isinstance(after, Microdata):
                _check_table(before, after, withheld, truthful=method.truthful)
                _check_withheld(before, withheld, allowance)

    law()


def _check_withheld(data: Microdata, withheld: np.ndarray, allowance: Allowance) -> None:
    assert withheld.dtype == bool
    assert withheld.sum() <= allowance.records, "a method withheld more records than allowed"
    if data.persons is not None:
        losing = len(set(data.persons[withheld].tolist()))
        assert losing <= allowance.people, "a method withheld records of more people than allowed"


def _check_profiles(data: Records, made: Records, stands_for: np.ndarray) -> None:
    assert isinstance(data, Ratings)
    assert isinstance(made, Ratings)
    assert len(stands_for) == len(data)
    assert made.people is not None
    counted = np.bincount(stands_for, minlength=len(made)).tolist()
    assert made.people.tolist() == counted, "a record must say for how many people it stands"
    assert made.scale.refines(data.scale)
    assert made.observable.items.values.equals(data.observable.items.values)


def _check_ratings(data: Ratings, made: Ratings, *, replaced: bool) -> None:
    assert made.users.values.equals(data.users.values), "the people were reordered or renamed"
    assert made.scale.refines(data.scale) if replaced else made.scale == data.scale
    if not made.observable.items.values.equals(data.observable.items.values):
        _check_generalized(data, made)
    assert made.sensitive.dense().tolist() == data.sensitive.dense().tolist(), "sensitive ratings were touched"


def _check_generalized(data: Ratings, made: Ratings) -> None:
    """Check that every item that a record is published with stands for one that it has, by the hierarchy."""
    assert data.hierarchy is not None, "items were changed, and no hierarchy says what others stand for them"
    names = made.observable.items.values.cast(pl.String).to_list()
    levels = zip(data.hierarchy.labels, data.hierarchy.maps, strict=True)
    words = [labels.take(codes).cast(pl.String).to_list() for labels, codes in levels]
    above = [set(labels) for labels in zip(*words, strict=True)]
    for before, after in zip(data.observable.dense(), made.observable.dense(), strict=True):
        labels = set().union(*(above[item] for item in np.flatnonzero(before >= 0)))
        assert {names[item] for item in np.flatnonzero(after >= 0)} <= labels, "an item stands for none of a person"


def _check_table(data: Microdata, made: Microdata, withheld: np.ndarray, *, truthful: bool) -> None:
    assert made.names == data.names
    for before, after in zip(data.columns, made.columns, strict=True):
        assert before.role is after.role
        if before.role is not Role.QUASI_IDENTIFIER:
            assert after.values.equals(before.values), f"the {before.role} column {before.name!r} was touched"
        elif truthful:
            _check_truth(before, after, withheld)


def _check_truth(before: Column, after: Column, withheld: np.ndarray) -> None:
    cells = zip(before.codes.tolist(), after.values.cast(pl.String).to_list(), withheld.tolist(), strict=True)
    for value, label, is_withheld in cells:
        assert is_withheld or covers(label, before, value), (
            f"a label published in {before.name!r} does not cover the original value"
        )


def _check_road(
    method: Anonymizer, kind: str, models: Callable[[Records], list[str]], holds: Holds, examples: int
) -> None:
    # of records drawn at random often nothing is left, and what is refused shows nothing
    accept = [road.EMPTY] if kind == "table" else [road.EMPTY, road.VACUOUS]

    @settings(max_examples=examples, deadline=None)
    @given(records(kind), st.data())
    def law(data: Records, choice: st.DataObject) -> None:
        wordings = choice.draw(st.lists(st.sampled_from(models(data)), min_size=1, max_size=2, unique=True))
        asked = [promises.read(wording) for wording in wordings]
        share = choice.draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(9, 10)]))
        try:
            release, ledger = road.publish(data, asked, method, withhold=share, accept=accept)
        except (InputError, GuaranteeError):
            return
        published = release.records
        assert len(data) - published.n_people <= share * len(data), "more was withheld than was allowed"
        assert len(ledger.origins) == published.n_people
        if ledger.places is not None:
            assert isinstance(published, Ratings)
            published = published.of_each(ledger.places)
        assert all(holds(published, model) for model in asked), "a release breaks its promise"

    law()


def _judged(data: Records, model: PrivacyModel) -> bool:
    return judge(data, [model], LocalEngine()).holds


def covers(label: str | None, column: Column, code: int) -> bool:
    """Return whether a label covers the value of a code.

    It does when it is the value itself, everything (``*``), a label of the value in the column's hierarchy, an interval
    around it, a set that holds it, or a stretch of the alphabet; missing values are published as ``missing``,
    alone or with others.
    """
    value = column.vocabulary.values.cast(pl.String)[code]
    if label == value or label == "*":
        return True
    if label is None:
        return False
    if column.hierarchy is not None and label in _ancestors(column, code):
        return True
    written = "missing" if value is None else value
    return (
        written in label.split(" | ")
        or _is_quoted(label, value)
        or _in_alphabet(label, value)
        or _in_range(label, column, code)
    )


def _is_quoted(label: str, value: str | None) -> bool:
    """Read ``"a | b" | c``, where a value with marks of its own stands in quotes."""
    return value is not None and ' | "{}" | '.format(value.replace('"', '""')) in f" | {label} | "


def _in_alphabet(label: str, value: str | None) -> bool:
    """Read ``a … b``, all words from a to b in the order of their letters."""
    first, dots, last = label.removeprefix("missing | ").partition(" … ")
    return bool(dots) and value is not None and first.encode() <= value.encode() <= last.encode()


def _ancestors(column: Column, code: int) -> list[str | None]:
    hierarchy = column.hierarchy
    assert hierarchy is not None
    levels = zip(hierarchy.labels, hierarchy.maps, strict=True)
    return [labels.values.cast(pl.String)[int(codes[code])] for labels, codes in levels]


def _in_range(label: str, column: Column, code: int) -> bool:
    """Read ``[a, b]``, ``[a, b)`` of numbers, and ``missing or …``."""
    values = column.vocabulary.values
    if label.startswith("missing or "):
        return values[code] is None or covers(label.removeprefix("missing or "), column, code)
    if values[code] is None or not column.vocabulary.is_ordered or not (label[0] == "[" and label[-1] in "])"):
        return False
    low, _, high = label[1:-1].partition(", ")
    if column.vocabulary.is_numeric:
        number = Fraction(str(values[code]))
        return Fraction(low) <= number and (number < Fraction(high) if label[-1] == ")" else number <= Fraction(high))
    return low <= str(values[code]) <= high  # days as they are written stand in the order of time
