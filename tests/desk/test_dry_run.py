"""A dry run says exactly what the request then gets, and leaves nothing behind that counts."""

import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import local_oracle
import shoal
from desk_oracle import SQUARE, keeps, published, table_of, write_files
from local_oracle import Crowd, Told, crowds
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.errors import ApprovalAwaited, PromiseNotKept, RequestRefused

SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
TRUSTED = {"ann": Fraction(1), "bob": Fraction(1), "cid": Fraction(1, 3), "dot": Fraction(0)}
ASKED = st.lists(st.tuples(st.sampled_from(list(TRUSTED)), st.sampled_from(["first", "second"])), max_size=5)


def opened(where: Path | str, **policy: object) -> Desk:
    desk = Desk.create(where)
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("second", Purpose("one:0;two:1"))
    desk.add_dataset("crowd", table_of(SQUARE), Policy(("k-anonymity:k=2",), **policy))  # type: ignore[arg-type]
    return desk


def together(nodes: list[tuple[int, ...]]) -> list[int]:
    """Return how many people are alike in all views, by brute force."""
    seen: dict[tuple, int] = {}
    for one, two, _ in SQUARE.values():
        cell = tuple((published(one, node[0]), published(two, node[1])) for node in nodes)
        seen[cell] = seen.get(cell, 0) + 1
    return sorted(seen.values())


@settings(max_examples=10)
@given(asked=ASKED, coalitions=st.sampled_from([None, (), (("ann", "bob"),)]))
def test_the_request_gets_what_the_dry_run_said(asked, coalitions) -> None:
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = opened(Path(folder) / "desk.sqlite", views="checked", coalitions=coalitions)
        has: dict[str, list[tuple[int, ...]]] = {name: [] for name in TRUSTED}
        for requester, purpose in asked:
            request = Request("crowd", requester, purpose, table_of(SQUARE), "nowhere")
            before, why, said = desk.audit(), None, None
            try:
                said = desk.foreseen(request)
            except RequestRefused as refusal:
                why = refusal.message
            assert desk.audit() == before
            with desk.held() as token:
                if said is None:
                    with pytest.raises(RequestRefused) as caught:
                        desk.reserve(token, request)
                    assert caught.value.message == why
                    continue
                given_ = desk.reserve(token, request)
            desk.settle(given_, "done", state="done", sha256="0" * 64)
            assert said.reservation == given_
            assert given_.node is not None
            has[requester].append(given_.node)
            for coalition in said.coalitions:
                members = TRUSTED if coalition.members is None else coalition.members
                nodes = [node for name in members for node in has[name]]
                assert keeps([(SQUARE, node) for node in nodes], 2, 1)
                (cells,) = coalition.knows.values()
                assert (cells.groups, cells.smallest) == (len(together(nodes)), together(nodes)[0])


def local_desk(folder: str, people: Crowd, **policy: Any) -> Desk | None:
    """Return a desk with a crowd whose views are recoded group by group; None where nothing can be promised."""
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("use", Purpose("number:1;town:1"))
    try:
        desk.add_dataset("crowd", local_oracle.table_of(people), Policy(("k-anonymity:k=2",), **policy))
    except (PromiseNotKept, RequestRefused):
        return None
    return desk


def told_together(people: Crowd, views: list[Told]) -> list[int]:
    """Return how many people are alike in all views, of those of whom something is told."""
    shown = [name for name in people if any(name in told for told in views)]
    return sorted(Counter(tuple(told.get(name) for told in views) for name in shown).values())


@settings(max_examples=15)
@given(
    people=crowds(),
    asked=st.lists(st.sampled_from(list(TRUSTED)), min_size=1, max_size=4),
    coalitions=st.sampled_from([None, (), (("ann", "bob"),)]),
    withhold=st.sampled_from(["", "25%"]),
)
def test_a_dry_run_of_views_by_local_recoding_says_what_is_given(people, asked, coalitions, withhold) -> None:
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        desk = local_desk(folder, people, coalitions=coalitions, withhold=withhold)
        if desk is None:
            return
        has: dict[str, list[Told]] = {name: [] for name in TRUSTED}
        for requester in asked:
            before = desk.audit()
            request = Request("crowd", requester, "use", local_oracle.table_of(people), "nowhere")
            try:
                said = desk.foreseen(request)
            except RequestRefused:
                with pytest.raises(RequestRefused):
                    local_oracle.ask(desk, "crowd", people, requester)
                continue
            assert desk.audit() == before
            told, degree, reached = local_oracle.ask(desk, "crowd", people, requester)
            assert (said.reservation.degree_asked, said.reservation.degree_reached) == (degree, reached)
            has[requester].append(told)
            for coalition in said.coalitions:
                members = TRUSTED if coalition.members is None else coalition.members
                sizes = told_together(people, [view for name in members for view in has[name]])
                (cells,) = coalition.knows.values()
                assert (cells.groups, cells.smallest) == (len(sizes), sizes[0])


FAR = {f"p{i}": (i % 2, i // 2 % 2, "xy"[i // 4 % 2]) for i in range(16)} | {"far": (3, 3, "x")}
"""Whoever is far from everybody else may be withheld."""


@pytest.mark.parametrize(
    "policy",
    [{"recoding": "levels"}, {}, {"withhold": "10%"}, {"withhold": "10%", "coalitions": ()}, {"views": "checked"}],
    ids=str,
)
def test_the_job_says_what_the_release_then_has_however_views_are_made(tmp_path: Path, policy: dict[str, Any]) -> None:
    data, schema = write_files(tmp_path, FAR)
    where = tmp_path / "desk.sqlite"
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    shoal.register(where, "crowd", data, schema, policy=Policy(("k-anonymity:k=2",), **policy))
    entries = desk.audit().entries
    asked: dict[str, Any] = {"requester": "ann", "purpose": "first"}
    said = shoal.dry_run(where, "crowd", data, schema, **asked)
    assert Desk(where).audit().entries == entries
    made = shoal.request(where, "crowd", data, schema, **asked, out=tmp_path / "out")
    for part in ("levels", "degrees", "degree_asked", "degree_reached", "records", "groups", "version", "suppressed"):
        assert getattr(said, part) == getattr(made, part), part
    assert said.records == (16 if "withhold" in policy else 17)
    is_local = policy.get("views") is None and policy.get("recoding") is None
    assert set(said.degrees if is_local else said.levels) == {"one", "two"}
    told = said.to_json()
    assert ("degrees" in told, "levels" in told) == (is_local, not is_local)


def test_nothing_is_left_behind_and_approval_is_foreseen(where: str, tmp_path: Path) -> None:
    desk = opened(where, approval=True)
    desk.set_anchor(file=tmp_path / "anchor")
    anchored, head = (tmp_path / "anchor").read_bytes(), desk.audit().head
    request = Request("crowd", "ann", "first", table_of(SQUARE), "nowhere")
    for _ in range(2):
        assert desk.foreseen(request).awaits_approval
    with pytest.raises(RequestRefused, match="not trusted"):
        desk.foreseen(Request("crowd", "dot", "first", table_of(SQUARE), "nowhere"))
    assert desk.audit().head == head, "no entry, not even of what would be refused"
    assert (tmp_path / "anchor").read_bytes() == anchored
    assert (desk.releases(), desk.book("approvals")) == ([], [])
    with desk.held() as token, pytest.raises(ApprovalAwaited):
        desk.reserve(token, request)


def test_the_job_names_everybody_where_all_may_collude(tmp_path: Path) -> None:
    data, schema = write_files(tmp_path, SQUARE)
    where = tmp_path / "desk.sqlite"
    opened(where)
    said = shoal.dry_run(where, "crowd", data, schema, requester="cid", purpose="first")
    assert said.to_json()["coalitions"][0]["members"] == "everybody"
