"""Insensitive columns that undo a promise are refused; those that have nothing to do with it are not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from shoal import road
from shoal.anonymizers import Mondrian, Nothing
from shoal.column_audit import audit_columns, dependencies, refuse_unaccepted
from shoal.data import Column, Microdata, Role, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import AuditRefused
from shoal.models import KAnonymity
from shoal.randomness import Randomness

QI, INSENSITIVE = Role.QUASI_IDENTIFIER, Role.INSENSITIVE
N = 3_000
CHANCE = np.random.default_rng(11)
AREA, AGE, SEX = CHANCE.integers(0, 30, N), CHANCE.integers(18, 90, N), CHANCE.integers(0, 2, N)
COIN = CHANCE.integers(0, 2, N)


def column(name: str, values: Sequence[object] | np.ndarray, role: Role = INSENSITIVE) -> Column:
    return Column.encode(name, role, pl.Series(values))


def people(**insensitive: np.ndarray) -> Microdata:
    known = (column("area", AREA, QI), column("age", AGE, QI), column("sex", SEX, QI))
    return Microdata((*known, *(column(name, values) for name, values in insensitive.items())))


def published(table: Microdata, accept: Sequence[str] = (), k: int = 5):
    return road.publish(table, [KAnonymity(k)], Mondrian(), randomness=Randomness(1), accept=accept)[0]


def below_k(release: Microdata, k: int = 5) -> tuple[int, int]:
    """How many records are in groups of fewer than k, and of one, once insensitive columns are read beside."""
    names = [each.name for each in release.columns if each.role in (QI, INSENSITIVE)]
    rows = release.frame().select(names).rows()
    sizes = {row: rows.count(row) for row in set(rows)}
    return sum(sizes[row] < k for row in rows), sum(sizes[row] == 1 for row in rows)


def test_a_column_one_to_one_with_a_quasi_identifier_is_refused_by_how_many_it_exposes() -> None:
    density = CHANCE.permutation(30)[AREA] * 17
    release = published(people(density=density), accept=["density"])
    assert isinstance(release.records, Microdata)
    below, alone = below_k(release.records)
    assert below > N / 2
    with pytest.raises(AuditRefused) as refused:
        published(people(density=density))
    assert "'density' depends on the generalized quasi-identifier 'area'" in str(refused.value)
    assert f"{below:,} of 3,000 records are left with fewer than 5 candidates, {alone:,} with one" in str(refused.value)
    assert "--accept density" in str(refused.value)
    assert release.certificate.accepted_against_audit == ("density",)


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"county": AREA // 5}, id="the quasi-identifier determines it"),
        pytest.param({"minor": AGE < 30}, id="a threshold"),
        pytest.param({"early": (AGE < 50) & (SEX == 0)}, id="two quasi-identifiers determine it"),
        pytest.param({"worked": AGE - 18 + CHANCE.integers(-3, 4, N)}, id="it tells a range"),
        pytest.param({"district": (AREA + 15 * COIN) % 30}, id="they overlap"),
        pytest.param({"noisy": np.where(CHANCE.random(N) < 0.03, CHANCE.integers(0, 30, N), AREA)}, id="with errors"),
        pytest.param({"some": np.where(AREA < 5, AREA, -1)}, id="some values of it"),
        pytest.param({"hers": np.where(SEX == 1, AREA, CHANCE.integers(0, 30, N))}, id="of women only"),
        pytest.param({"late": np.where(AGE > 80, AREA // 3, CHANCE.integers(0, 10, N))}, id="of the old only"),
        pytest.param(
            {"line": np.where(SEX == 1, 3 * AREA + CHANCE.integers(0, 3, N), CHANCE.integers(0, 90, N))},
            id="it tells of women only",
        ),
        pytest.param({"half": (AREA * 5 + CHANCE.integers(0, 6, N)) % 12}, id="half of its values each"),
    ],
)
def test_a_column_that_predicts_or_is_predicted_is_refused(told: dict[str, np.ndarray]) -> None:
    (name,) = told
    with pytest.raises(AuditRefused, match=rf"'{name}' .*depends on .*--accept {name}\)"):
        published(people(**told))
    assert published(people(**told), accept=[name]).certificate.accepted_against_audit == (name,)


def test_two_columns_that_determine_only_together_are_refused_together() -> None:
    key = CHANCE.integers(0, 3, N)
    told = people(one=key, two=(AREA - key) % 3, coin=COIN)
    with pytest.raises(AuditRefused, match="'one' and 'two' together nearly depend on") as refused:
        published(told)
    assert "--accept one --accept two" in str(refused.value)
    with pytest.raises(AuditRefused, match=r"\(--accept two\)"):
        published(told, accept=["one"])
    assert published(told, accept=["two", "one"]).certificate.accepted_against_audit == ("one", "two")


def test_columns_that_single_out_only_together_are_each_to_be_accepted() -> None:
    chance = np.random.default_rng(3)
    answers = {f"q{i}": chance.integers(0, 5, N) for i in range(6)}
    table = people(**answers, fixed=np.zeros(N, np.int64))
    with pytest.raises(AuditRefused, match="together single people out") as refused:
        published(table)
    assert "fixed" not in str(refused.value)
    for name in answers:
        assert f"--accept {name}" in str(refused.value)
    with pytest.raises(AuditRefused, match=r"\(--accept q3\)"):
        published(table, accept=[name for name in answers if name != "q3"])
    assert published(table, accept=[*answers, "fixed"]).certificate.accepted_against_audit == tuple(answers)


@pytest.mark.parametrize("seed", range(6))
def test_columns_that_have_nothing_to_do_with_the_people_pass(seed: int) -> None:
    chance = np.random.default_rng(seed)
    rare = chance.random(N) < 0.1
    release = published(people(coin=chance.integers(0, 2, N), month=chance.integers(0, 12, N), rare=rare))
    assert release.certificate.accepted_against_audit == ()


def test_a_weak_relation_passes() -> None:
    chance = np.random.default_rng(5)
    likely = np.where(chance.random(N) < AGE / 100, 1, 0)
    assert published(people(likely=likely)).certificate.accepted_against_audit == ()


def test_what_is_published_exactly_anyway_may_be_told_again() -> None:
    table = Microdata((column("area", AREA % 3, QI), column("county", AREA % 3)))
    release, _ = road.publish(table, [KAnonymity(5)], Nothing())
    assert release.certificate.accepted_against_audit == ()


def test_columns_are_not_refused_twice_and_not_named_for_nothing() -> None:
    """What is accepted and was never objected to is not in the certificate."""
    release = published(people(coin=COIN, county=AREA // 5), accept=["coin", "county"])
    assert release.certificate.accepted_against_audit == ("county",)


def test_people_with_several_records_are_counted_once() -> None:
    """Two records each: five people of a class are ten records, and four people are eight."""
    persons = np.arange(N) // 2
    table = Microdata((column("age", AGE * 0, QI), column("answer", persons // 4)))
    grouping = LocalEngine().group(table)
    assert audit_columns(table, table, grouping, 5) == ()
    (objection,) = audit_columns(table, replace(table, persons=persons * 7), grouping, 5)
    assert "1,500 people" in objection.reason
    assert refuse_unaccepted([objection], ["answer"]) == ("answer",)


def test_dependencies_are_told_before_anything_is_published() -> None:
    table = people(density=AREA * 3, county=AREA // 5, coin=COIN, noisy=np.where(np.arange(N) % 50, AREA, 7))
    found = {
        (each.column, each.which, each.quasi_identifier, each.exact)
        for each in dependencies(table.with_role(INSENSITIVE), table.quasi_identifiers)
    }
    assert found == {
        ("density", "determines", "area", True),
        ("county", "is determined by", "area", True),
        ("noisy", "determines", "area", False),
    }


def test_no_message_tells_a_value() -> None:
    named = np.array([f"Ystad-{area}" for area in AREA])
    with pytest.raises(AuditRefused) as refused:
        published(people(town=named))
    assert "Ystad" not in str(refused.value)


def test_people_are_counted_on_the_road_too() -> None:
    """Everybody has five records alike: a class of one person is no class of five."""
    persons = np.arange(N) // 5
    plain = Microdata((column("age", persons * 0, QI), column("answer", persons)))
    release, _ = road.publish(plain, [KAnonymity(5)], Nothing())
    assert release.certificate.accepted_against_audit == ()
    with pytest.raises(AuditRefused, match="600 of 600 people carry a value that nobody else carries"):
        road.publish(replace(plain, persons=persons), [KAnonymity(5)], Nothing())


def test_one_person_with_many_records_does_not_hide_what_holds_of_all_others() -> None:
    chance = np.random.default_rng(2)
    persons = np.concatenate([np.arange(1, 400), np.zeros(400, np.int64)])
    area = chance.integers(0, 30, len(persons))
    told = np.where(persons > 0, area, chance.integers(0, 30, len(persons)))
    ages = chance.integers(18, 90, len(persons))
    table = Microdata((column("area", area, QI), column("age", ages, QI), column("told", told)))
    with pytest.raises(AuditRefused, match=r"'told' nearly depends on .* 'area': .* 3\d\d of 400 people are left"):
        published(replace(table, persons=persons))


def test_a_column_that_singles_a_few_out_is_also_told_for_what_it_says_of_all_others() -> None:
    told = np.where(np.arange(N) < 40, 1_000 + np.arange(N), AREA)
    with pytest.raises(AuditRefused) as refused:
        published(people(told=told))
    assert "'told' singles people out: 40 of 3,000" in str(refused.value)
    assert "'told' depends on the generalized quasi-identifier 'area'" in str(refused.value)


def test_what_columns_tell_exactly_together_is_tolerated_of_nobody() -> None:
    """Both say of an area that it is in two sets of areas; one person of an area is left alone by both, of 4,000."""
    area = np.concatenate([np.arange(3_999) % 3 + 1, [0]])
    table = Microdata((column("area", area, QI), column("one", area // 2), column("two", area % 2)))
    merged = table["area"].recoded(Vocabulary.numbered(1), np.zeros(4_000, np.int64))
    published_ = table.replaced((merged,))
    objections = audit_columns(published_, table, LocalEngine().group(published_), 5)
    assert {name for each in objections for name in each.columns} == {"one", "two"}
    assert "1 of 4,000" in objections[0].reason


@pytest.mark.parametrize("seed", range(25))
def test_there_is_no_alarm_where_nothing_is_related(seed: int) -> None:
    chance = np.random.default_rng(seed)
    n, k = int(chance.choice([100, 300, 1_000, 2_000])), int(chance.choice([2, 5, 20]))
    widths = chance.choice([2, 3, 5, 12, 30, 70], 4)
    known = [column(f"q{i}", chance.integers(0, width, n), QI) for i, width in enumerate(widths)]
    others = [column(f"c{i}", (chance.integers(2, 13) * chance.random(n) ** (1 + 2 * i)).astype(int)) for i in range(2)]
    table = Microdata((*known, *others))
    release = Mondrian().recode(table, [KAnonymity(k)], LocalEngine(), Randomness(1)).records
    assert isinstance(release, Microdata)
    objections = audit_columns(release, table, LocalEngine().group(release), k)
    assert not [each.reason for each in objections if "depend" in each.reason]
