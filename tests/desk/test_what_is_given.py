"""Nobody is given more than the policy allows: alone, with others, again, or after the data have changed."""

import json
import tempfile
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk_oracle import SQUARE, People, keeps, table_of
from shoal.anonymizers.decomposition.generalization_chain import level_degrees
from shoal.data import Column, Microdata, Role
from shoal.desk import Desk, GeneralizationChain, Policy, Purpose, Request
from shoal.desk.request import FixedChain
from shoal.errors import FileError, PromiseNotKept, RequestRefused, WordingError

PROMISES = ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct")
ONE_FIRST, TWO_FIRST = Purpose("one:1;two:0"), Purpose("one:0;two:1")
module, reserve = import_module("shoal.desk.desk"), import_module("shoal.desk.reserve")
TRUSTED = {"ann": Fraction(1), "bob": Fraction(1), "cid": Fraction(1, 3), "dot": Fraction(1, 100)}
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a disk would take its time for every transaction


def opened(folder: str | Path, people: People, **policy: object) -> Desk:
    """Return a desk with some requesters and purposes, and one data set."""
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("first", ONE_FIRST)
    desk.add_purpose("second", TWO_FIRST)
    desk.add_dataset("crowd", table_of(people), Policy(**{"promises": PROMISES, "recoding": "levels", **policy}))  # type: ignore[arg-type]
    return desk


def ask(desk: Desk, people: People, requester: str, purpose: str = "first", earlier: tuple[People, ...] = ()):
    """Ask for a view, and let it be done."""
    request = Request("crowd", requester, purpose, table_of(people), "nowhere", tuple(map(table_of, earlier)))
    with desk.held() as token:
        reservation = desk.reserve(token, request)
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    node = reservation.node
    assert node is not None  # these views are of levels
    return node


@st.composite
def crowds(draw: st.DrawFn) -> People:
    """Return people whose numbers spread, in groups large enough that some views are safe and some are not."""
    person = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("xy"))
    people = draw(st.lists(person, min_size=6, max_size=14))
    return {f"p{i}": each for i, each in enumerate([*people, (0, 0, "x"), (0, 0, "y")])}


@settings(max_examples=12)
@given(people=crowds(), order=st.permutations(list(TRUSTED)), purpose=st.sampled_from([None, "first", "second"]))
def test_who_is_trusted_more_never_gets_a_coarser_view_and_all_views_nest(people, order, purpose):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder, people, purpose=purpose, projection="quadratic")
        given_to = {name: ask(desk, people, name, ("first", "second")[at % 2]) for at, name in enumerate(order)}
        for more, less in pairwise(given_to[name] for name in TRUSTED):
            assert all(fine <= coarse for fine, coarse in zip(more, less, strict=True))
        assert keeps([(people, node) for node in given_to.values()], 2, 2)
        assert desk.audit().holds


ASKED = st.lists(st.tuples(st.sampled_from(list(TRUSTED)), st.sampled_from(["first", "second"])), max_size=5)
COALITIONS = st.none() | st.lists(st.sets(st.sampled_from(list(TRUSTED)), min_size=2).map(tuple), max_size=2).map(tuple)


@settings(max_examples=12)
@given(people=st.just(SQUARE) | crowds(), asked=ASKED, coalitions=COALITIONS)
def test_no_coalition_has_views_that_break_the_promises_together(people, asked, coalitions):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder, people, views="checked", coalitions=coalitions)
        has = {name: [] for name in TRUSTED}
        for requester, purpose in asked:
            try:
                has[requester].append((people, ask(desk, people, requester, purpose)))
            except RequestRefused:
                assert coalitions is None or has[requester] or any(requester in each for each in coalitions)
        assert all(
            keeps(views, 2, 2) for members in _colluding(coalitions) for views in [_joined(has, members)] if views
        )


def _colluding(coalitions) -> list[tuple[str, ...]]:
    """Return everybody alone, and every part of those who may collude."""
    alone = [(name,) for name in TRUSTED]
    largest = [tuple(TRUSTED)] if coalitions is None else coalitions
    return alone + [part for each in largest for size in range(2, len(each) + 1) for part in combinations(each, size)]


def _joined(has: Mapping[str, list], members: tuple[str, ...]) -> list:
    return [view for name in members for view in has[name]]


def test_a_view_that_would_tell_too_much_with_another_is_given_further_up_its_chain(tmp_path):
    desk = opened(tmp_path, SQUARE, views="checked")
    assert ask(desk, SQUARE, "ann", "first") == (0, 1)
    assert ask(desk, SQUARE, "bob", "second") == (2, 1), "at (1, 0) or (2, 0), ann and bob would know (0, 0) together"
    assert not keeps([(SQUARE, (0, 1)), (SQUARE, (2, 0))], 2, 2)


def test_those_who_do_not_collude_get_their_own_views_and_nobody_outwits_the_desk_by_asking_twice(tmp_path):
    desk = opened(tmp_path, SQUARE, views="checked", coalitions=(("cid", "dot"),))
    assert ask(desk, SQUARE, "ann", "first") == (0, 1)
    assert ask(desk, SQUARE, "bob", "second") == (1, 0)
    assert ask(desk, SQUARE, "ann", "second") == (2, 1)


def test_a_revoked_release_counts_because_nobody_can_unsee_it(tmp_path):
    desk = opened(tmp_path, SQUARE, views="checked")
    ask(desk, SQUARE, "ann", "first")
    desk.revoke(1, "a mistake")
    assert [each["state"] for each in desk.releases()] == ["revoked"]
    assert ask(desk, SQUARE, "bob", "second") == (2, 1)
    with pytest.raises(WordingError):
        desk.revoke(1)


@settings(max_examples=12)
@given(people=crowds(), other=crowds(), asked=st.lists(st.sampled_from(list(TRUSTED)), min_size=2, max_size=4))
def test_changed_data_keep_the_promises_with_everything_given_before(people, other, asked):
    changed = {name: other.get(name, person) for name, person in people.items()}
    changed |= {f"new {i}": (i // 2, i // 2, "xy"[i % 2]) for i in range(4)}
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(folder, people, identifier="name")
        has = [(people, ask(desk, people, asked[0]))]
        desk.add_version("crowd", table_of(changed))
        for requester in asked[1:]:
            try:
                has.append((changed, ask(desk, changed, requester, earlier=(people,))))
            except RequestRefused:
                assert not keeps([*has, (changed, (2, 2))], 2, 2), "the coarsest view would have been safe"
        assert keeps(has, 2, 2)


def test_changed_data_are_refused_without_the_earlier_ones_and_without_an_identifier(tmp_path):
    later = {**SQUARE, "new 1": (0, 0, "x"), "new 2": (0, 0, "y")}
    desk = opened(tmp_path, SQUARE)
    with pytest.raises(RequestRefused, match="fingerprint"):
        ask(desk, later, "ann")
    assert desk.add_version("crowd", table_of(later)) == 2
    before = ask(desk, SQUARE, "ann")
    with pytest.raises(RequestRefused, match="released of version 1"):
        ask(desk, later, "bob")
    with pytest.raises(RequestRefused, match="no identifier"):
        ask(desk, later, "bob", earlier=(SQUARE,))
    desk.change_policy("crowd", identifier="name")
    node = ask(desk, later, "bob", earlier=(SQUARE,))
    assert keeps([(SQUARE, before), (later, node)], 2, 2)
    alone = {**SQUARE, "new 1": (0, 0, "x")}
    desk.add_version("crowd", table_of(alone))
    with pytest.raises(RequestRefused, match="together"):
        ask(desk, alone, "dot", earlier=(SQUARE, later))
    assert desk.audit().holds


def test_a_stricter_policy_counts_what_was_given_before(tmp_path):
    desk = opened(tmp_path, SQUARE)
    ask(desk, SQUARE, "ann")
    desk.change_policy("crowd", promises=("k-anonymity:k=5",))
    with pytest.raises(RequestRefused, match="already"):
        ask(desk, SQUARE, "dot")


def test_of_two_who_register_one_name_at_once_the_second_is_refused(tmp_path, monkeypatch):
    desk = opened(tmp_path, SQUARE)
    chain = module._chain

    def meanwhile(*arguments: Any) -> FixedChain:
        monkeypatch.setattr(module, "_chain", chain)
        desk.add_dataset("other", table_of({**SQUARE, "new": (0, 0, "x")}), Policy(PROMISES))
        return chain(*arguments)

    monkeypatch.setattr(module, "_chain", meanwhile)
    with pytest.raises(WordingError, match="already"):
        desk.add_dataset("other", table_of({**SQUARE, "new": (0, 0, "y")}), Policy(PROMISES))
    assert desk.audit().holds


@given(
    priorities=st.tuples(st.fractions(0, 1, max_denominator=5), st.fractions(0, 1, max_denominator=5)),
    degree=st.fractions(0, 1, max_denominator=20),
)
def test_a_chain_that_was_written_down_gives_the_finest_view_of_at_least_the_degree_asked_for(priorities, degree):
    chain = GeneralizationChain(
        (level_degrees(2, "uniform", Fraction(1)), level_degrees(3, "uniform", Fraction(1))), priorities
    )
    kept = FixedChain.of_json(json.loads(json.dumps(FixedChain.of(chain).to_json())))
    assert kept == FixedChain.of(chain)
    place = kept.place(degree)
    assert chain.degrees[place] >= degree, "a floor"
    assert not place or chain.degrees[place - 1] < degree, "and no more than that"


def test_trust_is_kept_as_it_is_written(tmp_path):
    desk = opened(tmp_path, SQUARE)
    desk.set_requester("eve", 0.3)
    ask(desk, SQUARE, "eve")
    assert desk.releases()[0]["degree_asked"] == 0.7, "and not as the float below it"


def test_data_that_no_view_can_be_given_of_are_refused_whatever_the_views(tmp_path):
    alike = {name: (one, two, "x") for name, (one, two, _) in SQUARE.items()}
    desk = opened(tmp_path, SQUARE)
    desk.add_version("crowd", table_of(alike))
    for views in ("nested", "checked"):
        desk.change_policy("crowd", views=views)
        with pytest.raises(RequestRefused, match="No "):
            ask(desk, alike, "ann")
    assert desk.releases() == []


def test_a_policy_that_is_changed_while_a_request_is_looked_at_is_not_overlooked(tmp_path, monkeypatch):
    desk = opened(tmp_path, SQUARE)
    seen = reserve._case

    def meanwhile(*arguments: Any) -> Any:
        case = seen(*arguments)
        desk.change_policy("crowd", promises=("k-anonymity:k=5",))
        return case

    monkeypatch.setattr(reserve, "_case", meanwhile)
    with pytest.raises(FileError, match="changed"):
        ask(desk, SQUARE, "ann")


def test_a_policy_that_means_nothing_is_refused(tmp_path):
    desk = opened(tmp_path, SQUARE)
    for wrong in (
        {"identifier": "letter"},
        {"purpose": "first"},
        {"accept": ("lettre",)},
        {"accept": ("letter",)},
        {"coalitions": (("ann", "zoe"),)},
        {"projection": "cubic"},
        {"views": "open"},
        {"promises": ()},
        {"promises": ("k-epsilon:k=2,epsilon=1",)},
    ):
        with pytest.raises(WordingError):
            desk.change_policy("crowd", **wrong)
    one = table_of(SQUARE)["one"]
    plain = table_of(SQUARE).replaced((one.recoded(one.vocabulary, one.codes),))  # without its hierarchy
    few = {f"q{i}": (i, i, "x") for i in range(3)}
    with pytest.raises(PromiseNotKept):
        desk.add_dataset("few", table_of(few), Policy(PROMISES))
    with pytest.raises(WordingError, match="registered already"):
        desk.add_dataset("twice", table_of(SQUARE), Policy(PROMISES))
    with pytest.raises(WordingError, match="same columns"):
        desk.add_version("crowd", plain)


def test_the_same_people_in_another_order_or_with_another_schema_are_not_another_data_set(tmp_path):
    desk, table = opened(tmp_path, SQUARE), table_of(SQUARE)
    turned = table_of(dict(reversed(list(SQUARE.items()))))
    moved = Microdata(tuple(reversed(table.columns)))
    harmless = table.replaced((Column.encode("letter", Role.INSENSITIVE, table["letter"].values),))
    for same in (turned, moved, harmless):
        with pytest.raises(WordingError, match="same values"):
            desk.add_dataset("other", same, Policy(("k-anonymity:k=2",)))
    assert desk.add_version("crowd", turned) == 2, "there, what views tell together is checked"
    other = {**SQUARE, "p0": SQUARE["p1"], "p1": SQUARE["p0"]}
    desk.add_dataset("other", table_of(other), Policy(("k-anonymity:k=2",)))


def test_columns_that_undo_the_promises_only_together_with_an_earlier_view_are_refused(tmp_path, monkeypatch):
    """Whether a number is odd tells which of a pair it is: at (1, 2) and at (2, 0) five are left, at (1, 0) three."""
    people = {f"p{i}": (i % 4, i // 4 % 4, "xy"[i // 16 % 2]) for i in range(48)}
    table = table_of(people)
    odd = Column.encode("odd", Role.INSENSITIVE, pl.Series([one % 2 for one, _, _ in people.values()]))
    table = Microdata((*table.columns, odd))
    desk = Desk.create(tmp_path / "desk.sqlite")
    for name in ("ann", "bob"):
        desk.set_requester(name, Fraction(1))
    desk.add_purpose("first", ONE_FIRST)
    desk.add_dataset("crowd", table, Policy(("k-anonymity:k=5",), views="checked"))

    def asked(requester: str, node: tuple[int, int]) -> None:
        chain = FixedChain((node,), (Fraction(1),))
        monkeypatch.setattr(reserve, "_chain_of", lambda *_: chain)
        with desk.held() as token:
            reservation = desk.reserve(token, Request("crowd", requester, "first", table, "nowhere"))
        desk.settle(reservation, "done", state="done", sha256="0" * 64)

    asked("ann", (1, 2))
    with pytest.raises(RequestRefused, match=r"Together with what those who may collude .*'odd' .*48 of 48 records"):
        asked("bob", (2, 0))
    desk.change_policy("crowd", accept=("odd",))
    asked("bob", (2, 0))
