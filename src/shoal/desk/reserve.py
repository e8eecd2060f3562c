"""Decide on a request: the view it gets, or why it gets none.

Everything that a decision rests on is read in the transaction in which it is written down, and only one transaction is
open at a time: of two requests at once, the second sees what the first was given.
"""

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, or_, select

from shoal.anonymizers import Anonymizer
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata
from shoal.data.fingerprint import fingerprint
from shoal.engines import LocalEngine
from shoal.errors import FileError, RequestRefused

from .clock import days_from_now, now
from .dry_run import Coalition, DryRun
from .oversight.approvals import use_approval, wait_for_approval
from .oversight.terms import entitled_trust
from .people.joint_views import JointViews, KnownData
from .people.people_table import people_table
from .people.population import Population, Version, population_of, refuse_unjudged, refuse_unmarked
from .policy import Policy, view_method
from .request import FixedChain, FixedGeneralization, Request, Reservation
from .store.log import canonical, keep, note
from .store.rows import dataset_row, purpose_row, rows
from .store.secret import secret_of
from .store.store import Store
from .store.tables import RELEASES, VERSIONS
from .store.trees import keep_document, kept_document, view_of
from .views.cut_recoding import CutRecoding
from .views.cut_views import CutViews
from .views.group_tree import read_cuts, write_cuts
from .views.held import Held
from .views.nested_views import NestedViews
from .views.profile_recoding import ProfileRecoding
from .views.rating_views import RatingViews
from .views.trees_of_versions import AnyViews, fixed_tree, kept_views, nearest_data, new_views, refuse_overspent

__all__ = ["foreseen", "reserve"]

_NOBODY = "nobody"
"""The token of a view that nobody makes."""


@dataclass(frozen=True)
class _Case:
    """What is known of a request before the transaction that decides on it, so that others wait less."""

    population: Population
    policy: Policy
    chain: FixedChain | AnyViews
    """The views among which is chosen."""
    version: Version
    trees: Mapping[Version, str | None]
    """The data at hand, and the names of the trees that views of them were given of."""
    joint: JointViews


class _ApprovalLackingError(Exception):
    """A view could be given, if only somebody had approved it."""

    def __init__(self, release: dict[str, Any], reservation: Reservation) -> None:
        self.release, self.reservation = release, reservation


class _UndoneError(Exception):
    """Everything is known, and nothing of it is to be kept."""


_Held = Mapping[Version, Held]
"""What somebody holds of each version of the data."""


def reserve(store: Store, token: str, request: Request) -> Reservation:
    """Return the view that a request gets, having written it down; a refusal is written down with its reason."""
    try:
        case = _case(store, request)
        with store.transaction() as connection:
            return _reserved(connection, token, request, case)
    except _ApprovalLackingError as lacking:
        with store.transaction() as connection:
            awaited = wait_for_approval(connection, lacking.release)
        raise awaited from None
    except RequestRefused as refusal:
        asked = {"dataset": request.dataset, "requester": request.requester, "purpose": request.purpose}
        with store.transaction() as connection:
            note(connection, "refused", {**asked, "folder": request.folder, "why": refusal.message})
        raise


def foreseen(store: Store, request: Request) -> DryRun:
    """Return what a request would get now, or raise what it would be refused with.

    It is decided as it would be, and what was written down is undone: neither the log nor any later decision shows it.
    """
    case, found = _case(store, request), list[DryRun]()
    with suppress(_UndoneError), store.transaction() as connection:
        try:
            reservation, is_lacking = _reserved(connection, _NOBODY, request, case), False
        except _ApprovalLackingError as lacking:
            reservation, is_lacking = lacking.reservation, True
            keep(connection, "decided", RELEASES, lacking.release)
        coalitions = zip(
            _coalitions(case.population, request.requester), _given(connection, request, case), strict=True
        )
        known = [
            Coalition(None if members is None else tuple(sorted(members)), case.joint.cells(held))
            for members, held in coalitions
        ]
        found.append(DryRun(reservation, is_lacking, tuple(known)))
        raise _UndoneError
    return found[0]


def _case(store: Store, request: Request) -> _Case:
    with store.transaction() as connection:
        row = dataset_row(connection, request.dataset)
        purpose = Purpose(**json.loads(purpose_row(connection, request.purpose)["settings"]))
        entitled_trust(connection, request.requester, request.purpose)  # whoever may not ask need not wait
        refuse_unmarked(connection, request.dataset)
        population = population_of(connection, request.dataset)
        known = {each["fingerprint"]: (each["dataset"], each["number"]) for each in rows(connection, select(VERSIONS))}
    handed_in = {known.get(fingerprint(each)): each for each in (*request.earlier, request.records)}
    version = known.get(fingerprint(request.records))
    if version is None or version[0] != request.dataset or None in handed_in:
        ours = version is not None and version[0] == request.dataset
        raise RequestRefused(
            f"{'Earlier data' if ours else 'The data'} handed in are not those of the data set {request.dataset!r}: "
            "their fingerprint is not known.",
            "Register them as a new version with shoal desk dataset, or hand in those that were registered.",
        )
    records = {each: some for each, some in handed_in.items() if each is not None}
    for other, number in sorted(each for each in records if each[0] not in population.policies):
        raise RequestRefused(
            f"Earlier data handed in are version {number} of {other!r}, which has nobody in common with these data or "
            "is judged apart from them: they are not needed.",
            "Ask again without them.",
        )
    policies = {name: population.policy(name) for name in population.policies}
    policies[request.dataset].refuse_misfits(request.records)  # it may be another one than when they were registered
    data = {
        each: KnownData(people_table(some), policies[each[0]].models, policies[each[0]].identifier)
        for each, some in records.items()
    }
    with store.transaction() as connection:
        names = {each: fixed_tree(connection, each) for each in data}
        trees = {each: kept_document(connection, name) for each, name in names.items() if name}
        secret, nested = secret_of(connection), _purpose_of(connection, policies[request.dataset])
    views = {each: kept_views(tree, records[each], data[each].table, policies[each[0]]) for each, tree in trees.items()}
    policy = policies[request.dataset]
    if policy.is_recoded_locally(request.records):
        if version not in views:
            near = nearest_data(version, views, population.overlaps, len(request.records))
            followed = [views[each] for each in near]
            views[version] = new_views(request.records, data[version].table, policy, nested, secret, followed)
        chain = views[version]
        refuse_overspent(chain, policy.withheld_share)
    elif policy.views == "checked":
        chain = _chain_of(purpose, policy, data[version].table)
    else:
        chain = FixedChain.of_json(json.loads(row["chain"]))
    return _Case(population, policy, chain, version, names, JointViews(data, population.overlaps, trees=views))


def _purpose_of(connection: Connection, policy: Policy) -> Purpose:
    """Return the purpose of nested views."""
    if policy.purpose is None:
        return Purpose()
    return Purpose(**json.loads(purpose_row(connection, policy.purpose)["settings"]))


def _chain_of(purpose: Purpose, policy: Policy, table: Microdata) -> FixedChain:
    lattice = TableLattice(table, LocalEngine())
    weight, beta = policy.step_weights
    method = view_method(purpose, policy.trust_projection, 1, weight=weight, beta=beta)
    chain = method.kept_chain(lattice, policy.models)
    if chain is None:
        raise RequestRefused("No generalization of these data keeps the promises.")
    return FixedChain.of(chain)


def _reserved(connection: Connection, token: str, request: Request, case: _Case) -> Reservation:
    refuse_unmarked(connection, request.dataset)
    if population_of(connection, request.dataset) != case.population:
        raise FileError(
            "The policy, or data that have people in common with these, changed while the request was looked at.",
            "Ask again.",
        )
    for version, name in case.trees.items():
        own = case.chain if version == case.version and isinstance(case.chain, NestedViews) else None
        if fixed_tree(connection, version) not in (name, None if own is None else own.tree.sha256):
            raise FileError("Other views of these data were given while the request was looked at.", "Ask again.")
    trust = entitled_trust(connection, request.requester, request.purpose)
    degree = case.policy.trust_projection.degree(trust)
    given = _given(connection, request, case)
    held, reached, method = _chosen(case, given, degree)
    _refuse_revealing_together(case, given, held)
    number = connection.execute(select(func.max(RELEASES.c.number))).scalar_one() or 0
    row = {
        "number": number + 1,
        "dataset": request.dataset,
        "version": case.version[1],
        "requester": request.requester,
        "purpose": request.purpose,
        "trust": str(trust),
        "degree_asked": str(degree),
        "degree_reached": str(reached),
        "node": _written(connection, case, held),
        "folder": request.folder,
        "decided": now(),
        "token": token,
        "sha256": None,
        "state": "pending",
        "expires": days_from_now(case.policy.release_days),
    }
    models, accept = tuple(case.policy.models), case.policy.accept
    withhold = Fraction(0) if isinstance(case.chain, FixedChain) else case.policy.withheld_share
    reservation = Reservation(
        number + 1, case.version[1], held.levels, degree, reached, models, accept, method, withhold
    )
    if not use_approval(connection, case.policy, row):
        raise _ApprovalLackingError(row, reservation)
    keep(connection, "decided", RELEASES, row)
    return reservation


def _chosen(case: _Case, given: list[_Held], degree: Fraction) -> tuple[Held, Fraction, Anonymizer]:
    """Return the finest view that is allowed, its degree, and the method that makes it; refuse if there is none."""
    chain = case.chain
    if isinstance(chain, FixedChain):
        # joining groups breaks no promise of a policy, so what lies above a safe view is safe
        held = [Held(node) for node in chain.nodes]
        place = _first_safe(case, given, held, chain.place(degree))
        return held[place], chain.degrees[place], FixedGeneralization.node(chain.nodes[place])
    cuts = chain.cuts(chain.place(degree))
    if not _is_safe(case, given, Held.of_cuts(cuts)):
        if case.joint.counts_people_once:
            for each in [{}, *given]:
                cuts = chain.tree.without(cuts, case.joint.unsafe_groups(case.version, each))
            if not _is_safe(case, given, Held.of_cuts(cuts)):
                raise _no_view(case, given)
        else:
            held = [Held.of_cuts(chain.cuts(at)) for at in range(len(chain))]
            cuts = chain.cuts(_first_safe(case, given, held, chain.place(degree)))
    return Held.of_cuts(cuts), chain.degree(cuts), _method(chain, cuts)


def _method(views: AnyViews, cuts: np.ndarray) -> Anonymizer:
    """Return the method that makes a view."""
    if isinstance(views, RatingViews):
        return ProfileRecoding(views, cuts)
    assert isinstance(views, CutViews)
    return CutRecoding(views, cuts)


def _first_safe(case: _Case, given: list[_Held], views: Sequence[Held], place: int) -> int:
    """Return the first place from one on whose view is safe; whatever is coarser than a safe view is safe."""
    place = bisect_left(range(len(views)), True, place, key=lambda at: _is_safe(case, given, views[at]))
    if place == len(views):
        raise _no_view(case, given)
    return place


def _written(connection: Connection, case: _Case, held: Held) -> str:
    """Return the view as it is written down with its release, having kept the tree that it is of."""
    if held.levels is not None:
        return canonical(held.levels)
    assert isinstance(case.chain, NestedViews)
    tree = keep_document(connection, case.chain.tree.written)
    cuts = held.cuts(len(case.chain.tree))
    return canonical({"view": keep_document(connection, write_cuts(tree, cuts))})


def _given(connection: Connection, request: Request, case: _Case) -> list[_Held]:
    """Return, for each coalition of the requester, what its members have together of the whole population.

    Whoever may collude by the policy of one data set of the population may do so with what they have of the others. A
    revoked or expired release counts, and so does one that may have left before the desk lost track of it: nobody can
    unsee it.
    """
    may_have_left = or_(RELEASES.c.state.in_(["pending", "done", "revoked", "expired"]), RELEASES.c.sha256.is_not(None))
    views = select(RELEASES.c.dataset, RELEASES.c.version, RELEASES.c.node).distinct()
    views = views.where(RELEASES.c.dataset.in_(list(case.population.policies)), may_have_left)
    given = []
    known: dict[str, Held] = {}
    for members in _coalitions(case.population, request.requester):
        theirs = views if members is None else views.where(RELEASES.c.requester.in_(sorted(members)))
        held: dict[Version, Held] = {}
        for dataset, version, node in connection.execute(theirs):
            view = known.get(node) or known.setdefault(node, _held(connection, node))
            held[dataset, version] = held.get((dataset, version), Held()) | view
        given.append(held)
    refuse_unjudged(connection, request.dataset, {dataset for each in given for dataset, _ in each})
    _refuse_lacking({version for each in given for version in each} - case.trees.keys(), request.dataset)
    return given


def _held(connection: Connection, node: str) -> Held:
    view = view_of(node)
    if view is None:
        return Held(tuple(json.loads(node)))
    return Held.of_cuts(read_cuts(kept_document(connection, view))[1])


def _coalitions(population: Population, requester: str) -> list[frozenset[str] | None]:
    """Return those who may collude with a requester by any of the policies; None stands for everybody."""
    found = [each for name in population.policies for each in population.policy(name).coalitions_with(requester)]
    return list(dict.fromkeys(found))


def _refuse_lacking(lacking: set[Version], dataset: str) -> None:
    if not lacking:
        return
    own = [str(number) for name, number in sorted(lacking) if name == dataset]
    others = [f"version {number} of {name!r}" for name, number in sorted(lacking) if name != dataset]
    earlier = [f"version {', '.join(own)} of these data"] if own else []
    have = "has" if len(others) == 1 else "have"
    earlier += [f"{', '.join(others)}, which {have} people in common with these data"] if others else []
    raise RequestRefused(
        f"Views were released of {', and of '.join(earlier)}. What they reveal together with a new view cannot be "
        "checked without the data.",
        "Hand in the earlier data again (--earlier FILE), as they were read then (--earlier-schema FILE), or let the "
        "desk keep them (shoal desk keep).",
    )


def _no_view(case: _Case, given: list[_Held]) -> RequestRefused:
    if all(case.joint.keep(each) for each in given if each):
        return RequestRefused(
            "No view for this trust keeps the promises together with what those who may collude were given before."
        )
    return RequestRefused(
        "What those who may collude were given before breaks the promises already.",
        "The policy was another one then: shoal desk releases shows what was given.",
    )


def _is_safe(case: _Case, given: list[_Held], view: Held) -> bool:
    """Tell whether a view keeps the promises alone, and together with what each coalition has."""
    together = [{**each, case.version: each.get(case.version, Held()) | view} for each in given]
    return all(case.joint.keep(each) for each in [{case.version: view}, *together])


def _refuse_revealing_together(case: _Case, given: list[_Held], view: Held) -> None:
    """Audit what coalitions hold of this version together; the view alone is audited on its way out."""
    for together in dict.fromkeys(each[case.version] | view for each in given if case.version in each):
        if together != view:
            case.joint.refuse_revealing(case.version, together, case.policy.accept)
