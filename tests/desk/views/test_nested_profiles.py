"""Views of a rating set are groups that merge: they nest person by person, and nobody has more than the finest."""

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import local_oracle
from rating_oracle import (
    Raters,
    View,
    as_one,
    ask,
    crowds,
    degree_of,
    keeps,
    kept_view,
    merged,
    nest,
    profile_of,
    published,
    ratings_of,
)
from shoal.data import Ratings, Survey, Vocabulary
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.engines import LocalEngine
from shoal.errors import RequestRefused, ShoalError, WordingError
from shoal.jobs.measure import instead_of_ratings
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.road import publish

TRUSTED = {"ann": Fraction(1), "bob": Fraction(7, 10), "cid": Fraction(1, 3), "dot": Fraction(1, 100)}
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
NAMES = st.sampled_from(list(TRUSTED))


def opened(where: str | Path) -> Desk:
    desk = Desk.create(where)
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("use", Purpose())
    return desk


def policy(k: int = 2, **settings: object) -> Policy:
    return Policy((f"k-anonymity:k={k}",), **settings)  # type: ignore[arg-type]


def seen(view: View, k: int) -> tuple[Mapping[str, object], Mapping[str, object], int]:
    """Return a view as the oracle of coalitions takes it."""
    return view.people, view.record, k


@settings(max_examples=30)
@given(people=crowds(), order=st.permutations(list(TRUSTED)), k=st.integers(2, 4))
def test_each_view_keeps_the_promise_and_who_is_trusted_more_never_gets_a_coarser_one(people, order, k):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite")
        desk.add_dataset("films", ratings_of(people), policy(k))
        given_to: dict[str, View] = {}
        for name in order:
            view, decided = ask(desk, "films", people, name)
            given_to[name] = view
            assert decided.degree_reached == degree_of(view) >= decided.degree_asked
            assert Counter(view.record.values()) == view.sizes, "each profile says how many people it stands for"
            alike = Counter(tuple(sorted(view.profiles[row].items())) for row in view.record.values())
            assert min(alike.values()) >= k, "alone, by nothing but what is published"
        for more, less in pairwise(given_to[name] for name in TRUSTED):
            assert nest(more, less)
            assert len(more.profiles) >= len(less.profiles)
        assert keeps(seen(view, k) for view in given_to.values())
        assert desk.audit().holds


@settings(max_examples=25)
@given(people=crowds(), k=st.integers(2, 3))
def test_a_profile_is_what_it_is_defined_as_and_a_coarser_one_follows_from_a_finer_view(people, k):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite")
        desk.add_dataset("films", ratings_of(people), policy(k))
        found = []
        for name in TRUSTED:
            view, decided = ask(desk, "films", people, name)
            kept = kept_view(desk, decided.number, people)
            groups = {kept.group(who): row for who, row in view.record.items()}
            assert len(groups) == len(view.profiles)
            for group, row in groups.items():
                assert view.profiles[row] == profile_of(group, kept, people)
            found.append((kept, {group: (view.sizes[row], view.profiles[row]) for group, row in groups.items()}))
        for (_, finer), (kept, coarser) in combinations(found, 2):
            for group, told in coarser.items():
                assert merged(group, kept, finer) == told, "nothing else was needed"


def changed(draw: st.DataObject, people: Raters, other: Raters, number: int) -> Raters:
    """Return the next version: some leave, some come, some rate something else."""
    leaving = draw.draw(st.sets(st.sampled_from(list(people)), max_size=3))
    staying = {name: other.get(name, rated) for name, rated in people.items() if name not in leaving}
    new = draw.draw(st.integers(0, 5))
    return staying | {f"new {number}.{i}": dict(rated) for i, rated in zip(range(new), other.values(), strict=False)}


@settings(max_examples=40)
@given(
    draw=st.data(),
    people=crowds(16),
    others=st.tuples(crowds(16), crowds(16)),
    asked=st.lists(st.tuples(st.integers(0, 2), NAMES), min_size=2, max_size=5),
    coalitions=st.sampled_from([None, (("ann", "bob"), ("bob", "cid"))]),
)
def test_no_coalition_learns_more_than_the_promise_allows_over_three_versions(draw, people, others, asked, coalitions):
    versions = [people]
    for number, other in enumerate(others):
        versions.append(changed(draw, versions[-1], other, number))
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite")
        desk.add_dataset("films", ratings_of(people), policy(coalitions=coalitions))
        try:
            for version in versions[1:]:
                desk.add_version("films", ratings_of(version))
        except ShoalError:  # nothing changed, or too few are left
            return
        has: dict[str, list[tuple]] = {name: [] for name in TRUSTED}
        together = [set(TRUSTED)] if coalitions is None else [{name} for name in TRUSTED] + list(map(set, coalitions))
        for at, name in sorted(asked):
            earlier = [ratings_of(each) for number, each in enumerate(versions) if number != at]
            mine = [members for members in together if name in members]
            held = [[view for member in members for view in has[member]] for members in mine]
            try:
                view, _ = ask(desk, "films", versions[at], name, *earlier)
            except RequestRefused as refused:
                coarsest = seen(as_one(versions[at]), 2)
                unknown = "can be known again" in str(refused)
                assert unknown or not all(keeps([*each, coarsest]) for each in held), "the coarsest would be safe"
                continue
            has[name].append(seen(view, 2))
            assert all(keeps([*each, seen(view, 2)]) for each in held)
        assert desk.audit().holds


@settings(max_examples=25)
@given(
    everybody=crowds(16),
    more=local_oracle.crowds(),
    asked=st.lists(st.tuples(st.booleans(), NAMES), min_size=2, max_size=5),
    k=st.integers(2, 3),
)
def test_ratings_and_a_table_with_people_in_common_keep_the_promises_of_both_together(everybody, more, asked, k):
    named = {f"p{i + 4}": each for i, each in enumerate(more.values())}
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite")
        desk.add_dataset("films", ratings_of(everybody), policy(k))
        desk.add_dataset("towns", local_oracle.table_of(named), policy(2, identifier="name"))
        common = len(everybody.keys() & named.keys())
        assert [each.people for each in desk.overlaps("films")] == [common] * bool(common)
        has: list[tuple] = []
        for of_films, name in asked:
            people = everybody if of_films else named
            try:
                if of_films:
                    other = [local_oracle.table_of(named)] if common else []
                    view = seen(ask(desk, "films", everybody, name, *other)[0], k)
                else:
                    view = people, asked_of_towns(desk, named, name, ratings_of(everybody), common), 2
            except RequestRefused:
                one = dict.fromkeys(people, 0)
                assert not keeps([*has, (people, one, k if of_films else 2)]), "the coarsest would have been safe"
                continue
            has.append(view)
            assert keeps(has)


def asked_of_towns(
    desk: Desk, people: local_oracle.Crowd, name: str, ratings: Ratings, common: int
) -> Mapping[str, object]:
    """Return the labels of each person in a view of the table."""
    table = local_oracle.table_of(people)
    request = Request("towns", name, "use", table, "nowhere", (ratings,) if common else ())
    with desk.held() as token:
        decided = desk.reserve(token, request)
    desk.settle(decided, "done", state="done", sha256="0" * 64)
    made = decided.method.recode(table, decided.models, LocalEngine(), Randomness(1)).records
    labels = [made[column].values.cast(str).to_list() for column in ("number", "town")]  # type: ignore[index]
    return dict(zip(people, zip(*labels, strict=True), strict=True))


@settings(max_examples=15)
@given(people=crowds(), asked=st.lists(NAMES, min_size=1, max_size=4), coalitions=st.sampled_from([None, ()]))
def test_a_dry_run_says_what_the_request_gets_and_leaves_no_trace(people, asked, coalitions):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite")
        desk.add_dataset("films", ratings_of(people), policy(coalitions=coalitions))
        for name in asked:
            ratings, before = ratings_of(people), desk.audit()
            said = desk.foreseen(Request("films", name, "use", ratings, "nowhere"))
            assert desk.audit() == before
            foreseen = published(people, ratings, said.reservation)
            view, decided = ask(desk, "films", people, name)
            assert view == foreseen
            assert (decided.number, decided.degree_reached) == (len(desk.releases()), said.reservation.degree_reached)
            (cells,) = said.coalitions[0].knows.values()
            if coalitions is not None:
                assert (cells.groups, cells.smallest) == (len(view.sizes), min(view.sizes.values()))


RATERS: Raters = {
    f"{kind}{i}": {"apple": fruit, "apricot": fruit, "bread": bread, "figs": 3 if i == 0 else 4}
    for kind, fruit, bread in (("a", 1, 1), ("b", 1, 5), ("c", 5, 1), ("d", 5, 5))
    for i in range(4)
}
"""Four kinds of four people each: two cuts in halves separate them, whichever of them comes first."""


def test_what_leaves_is_judged_by_the_one_road_out_and_verified_alone(where):
    desk = opened(where)
    ratings = ratings_of(RATERS)
    desk.add_dataset("films", ratings, policy(4))
    assert desk.count_views("films", ratings) == 3, "four groups, two, and one"
    for name, groups in (("ann", 4), ("bob", 4), ("cid", 2), ("dot", 1)):
        with desk.held() as token:
            decided = desk.reserve(token, Request("films", name, "use", ratings, "nowhere"))
        made, ledger = publish(ratings, decided.models, decided.method, accept=("empty",))
        assert isinstance(made.records, Ratings)
        assert len(made.records) == groups
        assert (made.certificate.records, made.certificate.method) == (16, "nested-profiles")
        assert len(set(made.records.users.values)) == groups, "under pseudonyms of their own"
        assert instead_of_ratings(made.certificate.method) == decided.method.instead_of_ratings
        assert promises.read("k-anonymity:k=4").kinds >= {made.records.kind}
        assert len(ledger.origins) == 16
        desk.settle(decided, "done", state="done", sha256="0" * 64)
    assert desk.audit().holds


def test_people_keep_their_group_and_newcomers_who_come_together_change_no_other(where):
    desk = opened(where)
    desk.add_dataset("films", ratings_of(RATERS), policy(4))
    before, _ = ask(desk, "films", RATERS, "ann")
    later = {name: {**rated, "eggs": 5} if name < "c" else rated for name, rated in RATERS.items()}
    later |= {f"new {i}": {"apple": 5, "apricot": 5, "bread": 5 if i else 1} for i in range(4)}
    desk.add_version("films", ratings_of(later))
    with pytest.raises(RequestRefused, match="cannot be checked without the data"):
        ask(desk, "films", later, "ann")
    after, _ = ask(desk, "films", later, "ann", ratings_of(RATERS))
    assert len(after.profiles) == 4
    assert nest(View(RATERS, {name: after.record[name] for name in RATERS}, {}, {}), before), "as they were"
    assert {after.record[f"new {i}"] for i in range(4)} == {after.record["d0"]}, "to those who rate as most of them do"
    assert keeps([seen(before, 4), seen(after, 4)])
    one_more = later | {"late": {"apple": 1, "bread": 1}}
    desk.add_version("films", ratings_of(one_more))
    with pytest.raises(RequestRefused, match="No view"):
        ask(desk, "films", one_more, "ann", ratings_of(RATERS), ratings_of(later))
    assert desk.audit().holds


def test_the_same_people_under_another_name_are_noticed_and_so_are_equal_profiles(tmp_path):
    desk = opened(tmp_path / "desk.sqlite")
    people = {f"p{i}": {"apple": 1 + i % 5, "bread": 1 + i // 5, "figs": 3} for i in range(20)}
    desk.add_dataset("films", ratings_of(people), policy(4))
    with pytest.raises(WordingError, match="registered already"):
        desk.add_dataset("again", ratings_of(dict(reversed(people.items()))), policy(4))
    renamed = {f"q{i}": rated for i, rated in enumerate(people.values())}
    desk.add_dataset("renamed", ratings_of(renamed), policy(4))
    assert [(each.people, each.records) for each in desk.overlaps("renamed")] == [(0, 20)]
    ask(desk, "films", people, "ann")
    with pytest.raises(RequestRefused, match="nobody is named alike"):
        ask(desk, "renamed", renamed, "bob", ratings_of(people))


@pytest.mark.parametrize(
    "wrong", [{"views": "checked"}, {"recoding": "levels"}, {"withhold": "2%"}, {"purpose": "use"}, {"beta": "2"}]
)
def test_what_only_a_table_has_is_refused_in_the_policy_of_a_rating_set(tmp_path, wrong):
    desk = opened(tmp_path / "desk.sqlite")
    ratings = ratings_of(RATERS)
    with pytest.raises(WordingError, match=f"says nothing of '{next(iter(wrong))}'"):
        desk.add_dataset("films", ratings, policy(4, **wrong))
    desk.add_dataset("films", ratings, policy(4))
    if "purpose" not in wrong and "beta" not in wrong:
        with pytest.raises(WordingError, match="says nothing of"):
            desk.change_policy("films", **wrong)
    with pytest.raises(WordingError, match="There is no column 'name'"):
        desk.change_policy("films", identifier="name")
    with pytest.raises(ShoalError, match="l-diversity"):
        desk.add_dataset("other", ratings, Policy(("l-diversity:l=2,kind=distinct",)))
    assert desk.audit().holds


def test_what_a_profile_of_a_group_cannot_carry_is_refused(tmp_path):
    desk, ratings = opened(tmp_path / "desk.sqlite"), ratings_of(RATERS)
    with pytest.raises(WordingError, match="a sensitive rating is one person's"):
        desk.add_dataset("films", replace(ratings, sensitive=ratings.observable), policy(4))
    with pytest.raises(WordingError, match="no longer known"):
        desk.add_dataset("films", replace(ratings, people=np.full(len(ratings), 4)), policy(4))
    answers = Survey(local_oracle.table_of(dict.fromkeys(RATERS, (0, "Genf", "x"))), ratings)
    with pytest.raises(WordingError, match="are a survey"):
        desk.add_dataset("films", answers, policy(4))
    assert desk.book("datasets") == []


def test_people_whom_a_file_does_not_name_are_not_known_again_by_their_numbers(tmp_path):
    """Line 3 of one file is somebody else than line 3 of the next."""
    desk = opened(tmp_path / "desk.sqlite")
    numbered = ratings_of(RATERS).renamed(Vocabulary.numbered(16))
    later = numbered.take(np.arange(15, 3, -1)).renamed(Vocabulary.numbered(12))
    desk.add_dataset("films", numbered, policy(4))
    (listed,) = desk.book("datasets")
    assert (listed["policy"]["identifier"], len(listed["versions"][0]["columns"])) == (None, 1)
    with desk.held() as token:
        decided = desk.reserve(token, Request("films", "ann", "use", numbered, "nowhere"))
    desk.settle(decided, "done", state="done", sha256="0" * 64)
    desk.add_version("films", later)
    with desk.held() as token, pytest.raises(RequestRefused, match="no identifier is named"):
        desk.reserve(token, Request("films", "ann", "use", later, "nowhere", (numbered,)))
    with pytest.raises(WordingError, match="There is no column 'user'"):
        desk.change_policy("films", identifier="user")
