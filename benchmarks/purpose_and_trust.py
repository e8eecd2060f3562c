"""The experiments of chapter 4 of the thesis: views by trust and purpose, beside methods that know neither.

Figures 4.4 and 4.5 measure discernability and group sizes with no purpose; Figure 4.6 *weighted discernability* where
age, or the country, is most useful; Figures 4.7 and 4.8 how well an income can be predicted, where that is the purpose.
The thesis has 45,222 records of Adult and 49,657 of a census that is not given; here are the 30,162 complete records
of Adult's first part, and the whole of Census-Income.

``decomposition`` is measured in both readings, each generalized further by as little as k needs; as the *desk* gives
it, nested for all trusts; with 2 % of the records withheld, which views that are nested cannot have; and as the thesis
has it, which never looks at k. All others withhold nobody. Steps weigh as in the thesis (the utility function with
β = 1). The projection of trust is called quadratic there and is not defined: here it is linear.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from adult import adult
from census import census_columns, census_frame
from measuring import measured as timed
from shoal.anonymizers import Allowance, Anonymizer, Decomposition, methods
from shoal.data import Column, Microdata, Role
from shoal.desk import LinearProjection, Purpose, view_method
from shoal.engines import LocalEngine
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison, measured

TRUSTS = tuple(Fraction(quarter, 4) for quarter in range(5))
KS = (2, 5, 10, 20, 25, 50, 100)
K = 20
"""That of Figures 4.4 and 4.6."""
SPARED = Fraction(1, 50)
"""The share of the records that one of the methods may withhold."""
LOW, HIGH = Fraction(1, 5), Fraction(4, 5)
"""The trusts that are compared at every k."""
OTHERS = ("mondrian", "top-down", "lattice")
SEVEN = ("age", "workclass", "education", "native-country", "marital-status", "race", "sex")
EIGHT = {
    "birthplace": 34,
    "age": 0,
    "citizenship": 35,
    "marital": 7,
    "education": 4,
    "sex": 12,
    "weeks": 39,
    "race": 10,
}
"""Those of the thesis' census that Census-Income has, and their places in a line; income is to be predicted."""
GROUPS = ("discernability", "average group size", "normalized average group size")
WEIGHTED = ("weighted discernability",)
GUESSES = ("naive Bayes accuracy", "decision tree accuracy")
TRIALS = 10
"""How many times 5,000 records are drawn and predicted, as often as the thesis tries."""
ENGINE = LocalEngine()
LINEAR = LinearProjection()


@dataclass(frozen=True)
class Question:
    """What data are asked for, and by what it is measured how well they serve."""

    name: str
    purpose: Purpose
    measures: tuple[str, ...]
    ks: tuple[int, ...] = KS
    """The k for which it is measured."""


@dataclass(frozen=True)
class Made:
    """A table that a method made, for the k it was to keep, and whose records are in it."""

    table: Microdata
    origins: np.ndarray
    k: int
    degree: float | None
    """How far it is anonymized; None where the method does not say."""
    seconds: float
    mib: float


def main(folder: Path) -> dict[str, Any]:
    """Measure everything on every data set that is there."""
    people, census = adult(folder, sensitive="salary-class", quasi_identifiers=SEVEN), _census()
    points, before = [], {}
    if people is not None:
        points += _points("Adult", people, _questions("age", "native-country", "workclass", "salary-class"))
        before["Adult"] = _before(people)
    if census is not None:
        points += _points("Census-Income", census, _questions("age", "birthplace", "weeks", "income"))
        before["Census-Income"] = _before(census)
    return {"as_it_is": before, "points": points} if points else {"skipped_for_want_of_data": 1}


def _census() -> Microdata | None:
    frame = census_frame()
    if frame is None:
        return None
    columns = census_columns(frame, EIGHT, ("age", "weeks"))
    return Microdata((*columns, Column.encode("income", Role.SENSITIVE, frame[:, 41])))


def _questions(first: str, other: str, least: str, target: str) -> list[Question]:
    return [
        Question("any", Purpose(), GROUPS),
        Question(f"{first} first", Purpose(most=first, least=least), WEIGHTED),
        Question(f"{other} first", Purpose(most=other, least=least), WEIGHTED, (K,)),
        Question("prediction", Purpose(target=target), GUESSES),
    ]


def _points(data: str, table: Microdata, questions: Sequence[Question]) -> list[dict[str, Any]]:
    for method in (*(methods.read(name) for name in OTHERS), *_by_trust(Purpose(), HIGH).values()):
        _made(table, method, K)  # compiled once before anything is timed
    points = []
    for k in KS:
        for name in OTHERS:
            made = _made(table, methods.read(name), k, repeat=2)
            points += [_point(data, table, each, name, made, None) for each in questions if k in each.ks]
    for question in questions:
        for trust in TRUSTS:
            views = _by_trust(question.purpose, trust)
            made = {name: _made(table, method, K) for name, method in views.items()}
            made["purpose, 2 % withheld"] = _made(table, views["purpose"], K, spare=int(len(table) * SPARED))
            made["thesis without k"] = _made(table, views["thesis"], K, kept=False)
            points += [_point(data, table, question, name, each, trust) for name, each in made.items()]
        for k in question.ks:
            for trust in (LOW, HIGH):
                views = _by_trust(question.purpose, trust)
                made = {name: _made(table, views[name], k) for name in ("purpose", "thesis")}
                points += [_point(data, table, question, name, each, trust) for name, each in made.items()]
    return points


def _by_trust(purpose: Purpose, trust: Fraction) -> Mapping[str, Decomposition]:
    desk = view_method(purpose, LINEAR, trust, weight="utility")
    ours = replace(desk, further="lattice")
    return {"purpose": ours, "thesis": replace(ours, reading="thesis"), "desk": desk}


def _made(table: Microdata, method: Anonymizer, k: int, *, spare: int = 0, kept: bool = True, repeat: int = 1) -> Made:
    models = [KAnonymity(k)] if kept else []
    recoding, *effort = timed(
        lambda: method.recode(table, models, ENGINE, Randomness(1), max_withheld=Allowance.of_records(table, spare)),
        repeat,
    )
    published = recoding.records
    assert isinstance(published, Microdata)
    labels = ENGINE.group(published).labels
    large = (np.bincount(labels) >= k)[labels] if kept else np.ones(len(table), np.bool_)
    assert np.count_nonzero(~large) <= spare
    rows = np.flatnonzero(large)
    return Made(published.take(rows), rows, k, recoding.notes.get("degree reached"), *effort)


def _point(
    data: str, table: Microdata, question: Question, method: str, made: Made, trust: Fraction | None
) -> dict[str, Any]:
    sizes = ENGINE.count(made.table, ENGINE.group(made.table), sensitive=False).sizes
    priorities = _priorities(question.purpose, table) if question.measures == WEIGHTED else None
    comparison = Comparison(table, made.origins, made.table, sizes, k=made.k, priorities=priorities)
    point: dict[str, Any] = {"data": data, "question": question.name, "method": method, "k": made.k}
    point |= {} if trust is None else {"trust": float(trust)}
    point |= {} if made.degree is None else {"degree": round(made.degree, 3)}
    point |= {"seconds": made.seconds, "mib": made.mib}
    point |= _guessed(comparison) if question.measures == GUESSES else _found(comparison, question.measures)
    below = int(sizes[sizes < made.k].sum())
    point |= {"people in groups below k": below} if below else {}
    point |= {"withheld": comparison.withheld} if comparison.withheld else {}
    print(point, flush=True)
    return point


def _priorities(purpose: Purpose, table: Microdata) -> dict[str, Fraction]:
    names = [column.name for column in table.quasi_identifiers]
    return dict(zip(names, purpose.of(table), strict=True))


def _found(comparison: Comparison, measures: Sequence[str]) -> dict[str, float]:
    values = measured(comparison, [MEASURES[name] for name in measures]).values
    return {name: round(value, 4) for name, value in values.items()}


def _guessed(comparison: Comparison) -> dict[str, float]:
    """Return the accuracies on average over the trials."""
    trials = [_found(replace(comparison, seed=seed), GUESSES) for seed in range(TRIALS)]
    return {name: round(float(np.mean([trial[name] for trial in trials])), 4) for name in GUESSES}


def _before(table: Microdata) -> dict[str, float]:
    """How well the income can be predicted from the table as it is, and by always guessing the most common one."""
    guessed = _guessed(Comparison(table, np.arange(len(table)), table, np.ones(len(table), np.int64)))
    most_common = float(np.bincount(table.sensitive[0].codes).max() / len(table))
    return {"records": len(table), **guessed, "majority": round(most_common, 4)}
