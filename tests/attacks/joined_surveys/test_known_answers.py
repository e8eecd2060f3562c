"""The attack known-answers, person by person, beside a plain search through all records."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import profiles
from shoal.attacks import Exposure, attacks
from shoal.data import Column, Role, Survey
from shoal.randomness import Randomness
from shoal.testing import surveys


def everything_known(survey: Survey, tolerance: Fraction) -> list[Fraction]:
    """The chance to find each person in the raw data by all quasi-identifiers and all answers."""
    columns = [c.values.to_list() for c in survey.table.columns if c.role in ("quasi-identifier", "stratum")]
    answers = profiles(survey.ratings)
    chances = []
    for person in range(len(survey)):
        fitting = [
            other
            for other in range(len(survey))
            if all(column[other] == column[person] for column in columns)
            and all(
                theirs is not None and abs(theirs - mine) <= tolerance
                for mine, theirs in zip(answers[person], answers[other], strict=True)
                if mine is not None
            )
        ]
        chances.append(Fraction(1, len(fitting)))
    return chances


@given(surveys(), st.sampled_from([Fraction(0), Fraction(1), Fraction(5, 2)]))
@settings(max_examples=60, deadline=None)
def test_who_knows_everything_finds_whom_a_plain_search_finds(survey, tolerance):
    attack = attacks.read(f"known-answers:demographics=9,items=9,tolerance={tolerance}")
    found = attack.run(Exposure.of_itself(survey), Randomness(1))
    chances = everything_known(survey, tolerance)
    assert np.isclose(found.main, float(sum(chances) / len(chances)))
    assert np.isclose(found.details["found_for_certain"], chances.count(Fraction(1)) / len(chances))


@given(surveys(max_quasi_identifiers=2), st.data())
@settings(max_examples=30, deadline=None)
def test_strata_are_known_as_quasi_identifiers_are(survey, data):
    strata = data.draw(st.lists(st.sampled_from(["u", "v"]), min_size=len(survey), max_size=len(survey)))
    column = Column.encode("stratum", Role.STRATUM, pl.Series(strata, dtype=pl.String))
    sampled = replace(survey, table=replace(survey.table, columns=(*survey.table.columns, column)))
    found = attacks.read("known-answers:demographics=9,items=9").run(Exposure.of_itself(sampled), Randomness(1))
    chances = everything_known(sampled, Fraction(0))
    assert np.isclose(found.main, float(sum(chances) / len(chances)))


@given(surveys(min_records=2))
@settings(max_examples=30, deadline=None)
def test_more_knowledge_finds_no_fewer_people_in_raw_data(survey):
    little = attacks.read("known-answers:demographics=1,items=0").run(Exposure.of_itself(survey), Randomness(1))
    much = attacks.read("known-answers:demographics=9,items=9").run(Exposure.of_itself(survey), Randomness(1))
    assert little.main <= much.main + 1e-12
