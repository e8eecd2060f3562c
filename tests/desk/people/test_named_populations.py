"""Extracts of one register under one name: promises hold for every coalition over all data sets of a population.

The oracle knows who is in which extract, which population each was said to be of and who may collude by which policy.
It asks the library nothing.
"""

import itertools
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_oracle import Crowd, Told, as_one, ask, crowds, keeps, table_of
from shoal.desk import Desk, Policy, Purpose
from shoal.desk.actor import acting_as
from shoal.errors import ConfirmationAwaited, PromiseNotKept, RequestRefused, ShoalError, WordingError

TRUSTED = {"ann": Fraction(1), "bob": Fraction(1), "cid": Fraction(1, 3)}
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
COALITIONS = st.sampled_from([None, (), (("ann", "bob"),), (("bob", "cid"),), (("ann", "bob", "cid"),)])
WAYS = st.sampled_from([("nested", "local"), ("nested", "levels"), ("checked", "local")])


def opened(folder: str | Path) -> Desk:
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("use", Purpose("number:1;town:0"))
    desk.add_purpose("other", Purpose("number:0;town:1"))
    return desk


@st.composite
def registers(draw: st.DrawFn) -> dict[str, Crowd]:
    """Return three extracts of one register: parts that overlap, or not, with what has changed between them."""
    everybody = draw(crowds(missing=False))
    names = list(everybody)
    made = {}
    for dataset in "abc":
        begin, end = sorted(draw(st.tuples(st.integers(0, len(names)), st.integers(0, len(names)))))
        own = {f"{dataset} {i}": (i // 2, "Genf", "xy"[i % 2]) for i in range(4)}
        made[dataset] = own | {name: everybody[name] for name in names[begin:end]}
    return made


def together(people: dict[str, Crowd], named: dict[str, str], dataset: str) -> set[str]:
    """Return the data sets that are reached from one over people in both, and over names of populations."""
    reached = {dataset}
    for _ in people:
        for one, other in itertools.permutations(people, 2):
            if one in reached and (
                people[one].keys() & people[other].keys() or (named[one] and named[one] == named[other])
            ):
                reached.add(other)
    return reached


def coalitions(policies: dict[str, Any], datasets: set[str]) -> list[set[str]]:
    """Return whoever may collude by the policy of any of these data sets, and everybody alone."""
    found: list[set[str]] = [{name} for name in TRUSTED]
    for dataset in datasets:
        said = policies[dataset]
        found += [set(TRUSTED)] if said is None else [set(each) for each in said]
    return found


@settings(max_examples=40)
@given(
    people=registers(),
    named=st.tuples(*[st.sampled_from(["", "register"])] * 3),
    colluding=st.tuples(*[COALITIONS] * 3),
    ways=st.tuples(*[WAYS] * 3),
    asked=st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(list(TRUSTED)), st.sampled_from(["use", "other"])),
        min_size=2,
        max_size=6,
    ),
)
def test_no_coalition_learns_more_than_the_promises_of_a_population_allow(people, named, colluding, ways, asked):
    population, policies = dict(zip(people, named, strict=True)), dict(zip(people, colluding, strict=True))
    has: dict[str, list[tuple[str, Told]]] = {name: [] for name in TRUSTED}

    def held(members: set[str], datasets: set[str]) -> list[tuple[Crowd, Told, int, int]]:
        views = [view for name in members for view in has[name] if view[0] in datasets]
        return [(people[dataset], told, 2, 2) for dataset, told in views]

    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder)
        for (dataset, crowd), (views, recoding) in zip(people.items(), ways, strict=True):
            policy = Policy(
                ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct"),
                views=views,
                recoding=recoding,
                identifier="name",
                coalitions=policies[dataset],
                population=population[dataset],
            )
            try:
                desk.add_dataset(dataset, table_of(crowd), policy)
            except (PromiseNotKept, RequestRefused, WordingError):  # or the same values, by chance
                return
        for dataset, requester, purpose in asked:
            joined = together(people, population, dataset)
            assert joined <= set(desk.population(dataset))
            others = [people[name] for name in desk.population(dataset) if name != dataset]
            try:
                told, *_ = ask(desk, dataset, people[dataset], requester, *others, purpose=purpose)
            except RequestRefused as refused:
                if "named alike" in str(refused) or joined != set(desk.population(dataset)):
                    continue  # few records, and many of them the same by chance
                coarsest = (people[dataset], as_one(people[dataset]), 2, 2)
                mine = [each for each in coalitions(policies, joined) if requester in each]
                assert not all(keeps([*held(each, joined), coarsest]) for each in mine), "the coarsest was safe"
                continue
            has[requester].append((dataset, told))
            assert all(keeps(held(members, joined)) for members in coalitions(policies, joined))
        assert desk.audit().holds


def crowd(letter: str, n: int = 8) -> Crowd:
    town = {"p": "Aarau", "q": "Basel", "r": "Chur"}[letter]
    return {f"{letter}{i}": (i % 4, town, "xy"[i // 4 % 2]) for i in range(n)}


def named(population: str = "register", **more: Any) -> Policy:
    return Policy(("k-anonymity:k=2",), identifier="name", population=population, **more)


def test_data_sets_of_one_name_are_judged_together_though_nobody_is_in_both(where):
    desk = Desk.create(where)
    for name in TRUSTED:
        desk.set_requester(name, 1)
    desk.add_purpose("use", Purpose("number:1;town:0"))
    desk.add_dataset("a", table_of(crowd("p")), named(coalitions=()))
    desk.add_dataset("b", table_of(crowd("q", 9)), named(coalitions=(("ann", "bob"),)))
    desk.add_dataset("c", table_of(crowd("r", 10)), named(""))
    assert (desk.population("a"), desk.population("c")) == (["a", "b"], ["c"])
    ask(desk, "a", crowd("p"), "ann")
    with pytest.raises(RequestRefused, match="version 1 of 'a'"):
        ask(desk, "b", crowd("q", 9), "bob")
    ask(desk, "b", crowd("q", 9), "bob", crowd("p"))
    rows = desk.book("populations")
    assert [(each["dataset"], each["population"], each["judged_with"]) for each in rows] == [
        ("a", "register", ["b"]),
        ("b", "register", ["a"]),
        ("c", None, []),
    ]
    desk.add_version("b", table_of({**crowd("q", 9), "p0": (0, "Genf", "x"), "p1": (1, "Genf", "y")}))
    (row,) = desk.book("populations", dataset="a")
    assert (row["versions"], row["people_in_common"]) == ([1], {"b": 2})
    assert row["overlaps"] == [{"version": 1, "other": "b", "other_version": 2, "people": 2, "records": 0}]
    assert desk.audit().holds


def test_a_population_needs_an_identifier_and_one_way_to_write_its_name(tmp_path):
    with pytest.raises(WordingError, match="names the identifier"):
        Policy(("k-anonymity:k=2",), population="register")
    for odd in ("a,b", " register", "everybody"):
        with pytest.raises(WordingError):
            named(odd)
    desk = opened(tmp_path)
    desk.add_dataset("a", table_of(crowd("p")), named())
    with pytest.raises(WordingError, match="taken for each other"):
        desk.add_dataset("b", table_of(crowd("q")), named("Register"))
    with pytest.raises(WordingError, match="names the identifier"):
        desk.change_policy("a", identifier=None)


def test_members_of_a_population_are_not_judged_apart(tmp_path):
    desk = opened(tmp_path)
    desk.add_dataset("a", table_of(crowd("p")), named())
    desk.add_dataset("b", table_of(crowd("q")), named("", apart_from=("a",)))
    with pytest.raises(WordingError, match="both of the population"):
        desk.add_dataset("c", table_of(crowd("r")), named(apart_from=("a",)))
    with pytest.raises(WordingError, match="both of the population"):
        desk.change_policy("b", population="register")
    desk.change_policy("b", apart_from=(), population="register")
    with pytest.raises(WordingError, match="both of the population"):
        desk.change_policy("a", apart_from=("b",))
    desk.change_policy("a", population="")
    desk.change_policy("a", apart_from=("b",))
    assert desk.population("a") == ["a"]
    assert desk.audit().holds


def test_a_population_is_left_by_two_people_where_a_member_asks_for_them(where):
    desk = Desk.create(where)
    desk.add_dataset("a", table_of(crowd("p")), named(two_person=True))
    desk.add_dataset("b", table_of(crowd("q")), named())
    desk.add_dataset("c", table_of(crowd("r")), named(""))
    desk.change_policy("c", population="register")
    with pytest.raises(ConfirmationAwaited):
        desk.change_policy("b", population="")
    assert desk.population("b") == ["a", "b", "c"]
    with acting_as("user bea"):
        desk.confirm(1)
    assert desk.population("b") == ["b"]
    assert desk.audit().holds


def test_the_audit_finds_a_population_that_one_person_left_alone(tmp_path, monkeypatch):
    desk = opened(tmp_path)
    desk.add_dataset("a", table_of(crowd("p")), named(two_person=True))
    desk.add_dataset("b", table_of(crowd("q")), named())
    monkeypatch.setattr("shoal.desk.desk.needs_second_person", lambda *_: False)
    desk.change_policy("b", population="")
    assert not desk.audit().holds


def test_a_policy_from_before_is_of_no_population(tmp_path):
    written = Policy(("k-anonymity:k=2",)).to_json()
    assert "population" not in written
    assert Policy.of_json(written).population == ""
    assert Policy.of_json(named().to_json()) == named()
    with pytest.raises(ShoalError):
        Policy.of_settings({"promises": ["k-anonymity:k=2"], "population": "register"})
