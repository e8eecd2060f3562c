"""Views by local recoding are cuts of one tree: they nest record by record, and nobody has more than the finest."""

import sqlite3
import tempfile
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_oracle import Crowd, Told, as_one, ask, crowds, degree_of, keeps, numbers_of, shown, table_of, towns_of
from shoal.anonymizers import methods
from shoal.anonymizers.generalization.cut_segments import table_attributes
from shoal.data import Microdata
from shoal.desk import Desk, Policy, Purpose
from shoal.desk.views.cut_tree import CutTree
from shoal.desk.views.cut_views import CutViews
from shoal.desk.views.follow import followed_tree
from shoal.desk.views.group_tree import read_cuts, write_cuts
from shoal.desk.views.grow import grown_tree
from shoal.engines import LocalEngine
from shoal.errors import PromiseNotKept, RequestRefused, ShoalError, WordingError
from shoal.models import promises
from shoal.randomness import Randomness

PROMISES = ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct")
TRUSTED = {"ann": Fraction(1), "bob": Fraction(7, 10), "cid": Fraction(1, 3), "dot": Fraction(1, 100)}
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
PRIORITIES = st.tuples(*[st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)])] * 2)


def opened(folder: str | Path, priorities: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))) -> Desk:
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("use", Purpose(f"number:{priorities[0]};town:{priorities[1]}"))
    return desk


def policy(**settings: object) -> Policy:
    return Policy(**{"promises": PROMISES, "purpose": "use", "identifier": "name", **settings})  # type: ignore[arg-type]


def keep_promises(desk: Desk, name: str, people: Crowd, **settings: object) -> bool:
    """Register a crowd, if it can be promised anything."""
    try:
        desk.add_dataset(name, table_of(people), policy(**settings))
    except (PromiseNotKept, RequestRefused):
        return False
    return True


@settings(max_examples=25)
@given(
    people=crowds(),
    order=st.permutations(list(TRUSTED)),
    priorities=PRIORITIES,
    beta=st.sampled_from(["", "1", "2"]),
    withhold=st.sampled_from(["", "20%"]),
)
def test_who_is_trusted_more_never_gets_a_wider_label_and_nobody_gets_less_anonymization_than_asked(
    people, order, priorities, beta, withhold
):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder, priorities)
        if not keep_promises(desk, "crowd", people, beta=beta, withhold=withhold):
            return
        given_to: dict[str, Told] = {}
        for name in order:
            told, asked, reached = given_to[name], *_ = ask(desk, "crowd", people, name)
            given_to[name] = told
            assert reached >= asked
            assert reached == degree_of(told, people, priorities, int(beta or 0))
            assert len(people) - len(told) <= Fraction(withhold[:-1] or 0) / 100 * len(people)
            assert all(people[who][0] in numbers_of(label) for who, (label, _) in told.items()), "labels are true"
            assert all(people[who][1] in towns_of(label) for who, (_, label) in told.items())
        for more, less in pairwise(given_to[name] for name in TRUSTED):
            assert more.keys() == less.keys(), "the same people are withheld from everybody"
            for who in more:
                assert numbers_of(more[who][0]) <= numbers_of(less[who][0])
                assert towns_of(more[who][1]) <= towns_of(less[who][1])
            assert len({(more[who], less[who]) for who in more}) == len(set(more.values())), "all nest"
        assert keeps([(shown(people, told), told, 2, 2) for told in given_to.values()])
        assert desk.audit().holds


def test_the_coarsest_view_is_as_anonymous_as_anybody_may_ask_though_what_was_rare_is_withheld(tmp_path):
    """With its only 7, a table would otherwise have a range of numbers that no view covers."""
    people = {f"p{i}": (0, ("Aarau", "Genf")[i % 2], "xy"[i // 2 % 2]) for i in range(8)} | {"rare": (7, "Genf", "x")}
    desk = opened(tmp_path)
    desk.add_dataset("crowd", table_of(people), policy(withhold="20%"))
    for name in TRUSTED:
        told, asked, reached = ask(desk, "crowd", people, name)
        assert "rare" not in told
        assert reached >= asked


@settings(max_examples=25)
@given(
    people=crowds(),
    other=crowds(),
    asked=st.lists(st.sampled_from(list(TRUSTED)), min_size=2, max_size=4),
    withhold=st.sampled_from(["", "25%"]),
)
def test_views_of_changed_data_keep_the_promises_with_everything_given_before(people, other, asked, withhold):
    changed = {name: other.get(name, person) for name, person in people.items() if name != "p1"}
    changed |= {f"new {i}": (i // 2, "Genf", "xy"[i % 2]) for i in range(4)}
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder)
        if not keep_promises(desk, "crowd", people, withhold=withhold):
            return
        first, *_ = ask(desk, "crowd", people, asked[0])
        has = [(shown(people, first), first, 2, 2)]
        desk.add_version("crowd", table_of(changed))
        given_to: dict[str, Told] = {}
        for name in asked[1:]:
            try:
                told, *_ = ask(desk, "crowd", changed, name, people)
            except RequestRefused:
                if not withhold:
                    assert not keeps([*has, (changed, as_one(changed), 2, 2)]), "the coarsest view would have been safe"
                continue
            has.append((shown(changed, told), told, 2, 2))
            given_to[name] = told
            assert keeps(has)
        ranked = [given_to[name] for name in TRUSTED if name in given_to]
        for more, less in pairwise(ranked):
            assert len({(more[who], less[who]) for who in more}) == len(set(more.values()))
        assert desk.audit().holds


def test_newcomers_make_a_view_coarser_where_they_are_and_nowhere_else(tmp_path):
    """On a chain of levels, two newcomers in one place would have taken detail from everybody."""
    people = {f"{town}{i}": (i // 2, town, "xy"[i % 2]) for town in ("Aarau", "Genf") for i in range(8)}
    more = people | {"new 1": (0, "Genf", "x"), "new 2": (7, "Genf", "y")}
    desk = opened(tmp_path, (Fraction(1, 3), Fraction(1)))
    desk.add_dataset("crowd", table_of(people), policy())
    before = ask(desk, "crowd", people, "ann")[0]
    assert len(set(before.values())) == 8
    desk.add_version("crowd", table_of(more))
    after = ask(desk, "crowd", more, "ann", people)[0]
    assert {after[who] for who in people if who.startswith("Aarau")} == {(str(i), "Aarau") for i in range(4)}
    assert len({after[who] for who in more if who not in people}) == 1, "as the newcomers must be among each other"
    assert keeps([(people, before, 2, 2), (more, after, 2, 2)])


@settings(max_examples=15)
@given(people=crowds(missing=False), priorities=st.just((Fraction(1), Fraction(1))) | PRIORITIES)
def test_the_finest_view_is_what_mondrian_publishes_if_all_attributes_are_as_useful(people, priorities):
    table, models = table_of(people), [promises.read(each) for each in PROMISES]
    tree = grown_tree(table, models, priorities, LocalEngine())
    if tree is None:
        return
    views = CutViews(tree, table)
    finest = views.published(views.cuts(0))
    if priorities[0] == priorities[1]:
        mondrian = methods.read("mondrian").recode(table, models, LocalEngine(), Randomness(1)).records
        assert isinstance(mondrian, Microdata)
        if len(tree) > 1:  # one group is published under the root of each hierarchy
            assert finest.frame().equals(mondrian.frame())
    again = CutTree.read(tree.written)
    assert again.sha256 == tree.sha256
    for place in range(len(views)):
        cuts = views.cuts(place)
        assert (read_cuts(write_cuts(tree.sha256, cuts))[1] == cuts).all()
        groups = views.groups(cuts)
        finer = views.groups(views.cuts(max(place - 1, 0)))
        assert len(set(zip(finer.tolist(), groups.tolist(), strict=True))) == len(set(finer.tolist()))
    assert len(set(views.groups(views.cuts(len(views) - 1)).tolist())) == 1


@settings(max_examples=15)
@given(people=crowds(), other=crowds(), seed=st.integers(0, 5))
def test_a_followed_tree_cuts_at_the_same_values_whatever_else_the_data_hold(people, other, seed):
    """Everybody who has not changed is with the same people, in any order of rows and columns."""
    table = table_of(people)
    tree = grown_tree(table, [promises.read("k-anonymity:k=2")], (Fraction(1), Fraction(1)), LocalEngine())
    assert tree is not None
    both = list(people.items()) + [(f"o {name}", each) for name, each in other.items()]
    np.random.default_rng(seed).shuffle(both)  # type: ignore[arg-type]
    mixed = table_of(dict(both))
    turned = Microdata(tuple(reversed(mixed.columns)))
    theirs = table_attributes(table, by_hierarchy=False)
    followed = followed_tree(tree, theirs, table_attributes(turned, by_hierarchy=False))
    assert followed is not None
    before = dict(zip(people, CutViews(tree, table).smallest.tolist(), strict=True))
    after = dict(zip((name for name, _ in both), CutViews(followed, turned).smallest.tolist(), strict=True))
    assert all(after[name] == before[name] for name in people)


@settings(max_examples=20)
@given(
    everybody=crowds(),
    parts=st.tuples(st.integers(4, 20), st.integers(0, 8)),
    asked=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(list(TRUSTED))), min_size=2, max_size=5),
    levels=st.booleans(),
)
def test_views_of_extracts_with_people_in_common_keep_the_promises_of_each_together(everybody, parts, asked, levels):
    names = list(everybody)
    own = {name: {f"{name} {i}": (i // 2, "Genf", "xy"[i % 2]) for i in range(4)} for name in "ab"}
    people = {
        "a": own["a"] | {name: everybody[name] for name in names[: parts[0]]},
        "b": own["b"] | {name: everybody[name] for name in names[max(0, parts[0] - parts[1]) :]},
    }
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder)
        try:
            for name in people:
                recoding = "levels" if levels and name == "b" else "local"
                if not keep_promises(desk, name, people[name], recoding=recoding):
                    return
        except ShoalError:  # the same values, by chance
            return
        has: list[tuple[Crowd, Told, int, int]] = []
        for dataset, requester in asked:
            others = [each for name, each in people.items() if name != dataset and desk.overlaps(dataset)]
            try:
                told, *_ = ask(desk, dataset, people[dataset], requester, *others)
            except RequestRefused as refused:
                if "named alike" not in str(refused):  # few records, and many of them the same by chance
                    assert not keeps([*has, (people[dataset], as_one(people[dataset]), 2, 2)])
                continue
            has.append((people[dataset], told, 2, 2))
            assert keeps(has)


def test_views_on_a_chain_and_views_of_a_tree_are_judged_together(tmp_path):
    people = {f"p{i}": (i % 4, ("Aarau", "Genf")[i // 4 % 2], "xy"[i // 8]) for i in range(16)}
    desk = opened(tmp_path)
    desk.add_dataset("crowd", table_of(people), policy(promises=("k-anonymity:k=4",)))
    first = ask(desk, "crowd", people, "ann")[0]
    assert len(set(first.values())) > 1
    desk.change_policy("crowd", views="checked")
    second = ask(desk, "crowd", people, "bob")[0]
    assert keeps([(people, first, 4, 1), (people, second, 4, 1)])
    assert desk.audit().holds


def test_the_audit_finds_a_tree_that_was_changed_or_taken_away_or_added(tmp_path):
    people = {f"p{i}": (i % 4, "Genf", "xy"[i // 4 % 2]) for i in range(16)}
    for what in ("DELETE FROM trees", "UPDATE trees SET tree = tree || ' '", "INSERT INTO trees VALUES ('x', '{}')"):
        folder = tmp_path / str(len(what))
        folder.mkdir()
        desk = opened(folder)
        desk.add_dataset("crowd", table_of(people), policy())
        ask(desk, "crowd", people, "ann")
        assert desk.audit().holds
        with sqlite3.connect(folder / "desk.sqlite") as connection:
            connection.execute(what)
        connection.close()
        assert desk.audit().faults
        if not what.startswith("INSERT"):
            with pytest.raises(ShoalError, match="audit"):
                ask(desk, "crowd", people, "bob")


def test_what_one_policy_withheld_is_not_given_under_one_that_allows_less(tmp_path):
    people = {f"p{i}": (i % 2, "Genf", "xy"[i // 2 % 2]) for i in range(16)} | {"far": (7, "Chur", "x")}
    desk = opened(tmp_path)
    desk.add_dataset("crowd", table_of(people), policy(withhold="10%"))
    told, _, reached = ask(desk, "crowd", people, "ann")
    assert (people.keys() - told.keys(), reached) == ({"far"}, Fraction(1, 17))
    desk.change_policy("crowd", withhold="")
    with pytest.raises(RequestRefused, match="withhold more"):
        ask(desk, "crowd", people, "bob")
    for wrong in ({"withhold": "all"}, {"withhold": "100%"}, {"withhold": "2%", "recoding": "levels"}, {"beta": "2"}):
        with pytest.raises(WordingError):
            desk.change_policy("crowd", **wrong)
    for wrong in ({"beta": "0.5"}, {"beta": "much"}):
        with pytest.raises(WordingError):
            policy(**wrong)
