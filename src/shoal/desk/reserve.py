"""Decide on a request: the view it gets, or why it gets none.

Everything that a decision rests on is read in the transaction in which it is written down, and only one transaction is
open at a time: of two requests at once, the second sees what the first was given.
"""

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import Connection, func, or_, select

from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data.fingerprint import fingerprint
from shoal.engines import LocalEngine
from shoal.errors import FileError, RequestRefused

from .people.joint_views import JointViews, KnownData
from .people.population import Population, Version, population_of, refuse_unjudged, refuse_unmarked
from .policy import Policy, view_method
from .request import FixedChain, Node, Request, Reservation
from .store.log import canonical, keep, note, now
from .store.rows import dataset_row, purpose_row, requester_row, rows
from .store.store import Store
from .store.tables import RELEASES, VERSIONS

__all__ = ["reserve"]


@dataclass(frozen=True)
class _Case:
    """What is known of a request before the transaction that decides on it, so that others wait less."""

    population: Population
    policy: Policy
    chain: FixedChain
    version: Version
    at_hand: frozenset[Version]
    joint: JointViews


_Held = Mapping[Version, Node]
"""What somebody holds: a node for each version of the data."""


def reserve(store: Store, token: str, request: Request) -> Reservation:
    """Return the view that a request gets, having written it down; a refusal is written down with its reason."""
    try:
        case = _case(store, request)
        with store.transaction() as connection:
            return _reserved(connection, token, request, case)
    except RequestRefused as refusal:
        asked = {"dataset": request.dataset, "requester": request.requester, "purpose": request.purpose}
        with store.transaction() as connection:
            note(connection, "refused", {**asked, "folder": request.folder, "why": refusal.message})
        raise


def _case(store: Store, request: Request) -> _Case:
    with store.transaction() as connection:
        row = dataset_row(connection, request.dataset)
        purpose = Purpose(**json.loads(purpose_row(connection, request.purpose)["settings"]))
        requester_row(connection, request.requester)
        refuse_unmarked(connection, request.dataset)
        population = population_of(connection, request.dataset)
        known = {each["fingerprint"]: (each["dataset"], each["number"]) for each in rows(connection, select(VERSIONS))}
    tables = {known.get(fingerprint(table)): table for table in (*request.earlier, request.table)}
    version = known.get(fingerprint(request.table))
    if version is None or version[0] != request.dataset or None in tables:
        ours = version is not None and version[0] == request.dataset
        raise RequestRefused(
            f"{'Earlier data' if ours else 'The data'} handed in are not those of the data set {request.dataset!r}: "
            "their fingerprint is not known.",
            "Register them as a new version with shoal desk dataset, or hand in those that were registered.",
        )
    for other, number in sorted(each for each in tables if each is not None and each[0] not in population.policies):
        raise RequestRefused(
            f"Earlier data handed in are version {number} of {other!r}, which has nobody in common with these data or "
            "is judged apart from them: they are not needed.",
            "Ask again without them.",
        )
    policies = {name: population.policy(name) for name in population.policies}
    policy = policies[request.dataset]
    policy.refuse_misfits(request.table)  # the policy may be another one than when the data were registered
    chain = FixedChain.of_json(json.loads(row["chain"]))
    if policy.views == "checked":
        chain = _chain_of(purpose, policy, request)
    data = {
        each: KnownData(table, policies[each[0]].models, policies[each[0]].identifier)
        for each, table in tables.items()
        if each is not None
    }
    return _Case(population, policy, chain, version, frozenset(data), JointViews(data, population.overlaps))


def _chain_of(purpose: Purpose, policy: Policy, request: Request) -> FixedChain:
    lattice = TableLattice(request.table, LocalEngine())
    chain = view_method(purpose, policy.trust_projection, 1).kept_chain(lattice, policy.models)
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
    trust = Fraction(requester_row(connection, request.requester)["trust"])
    degree = case.policy.trust_projection.degree(trust)
    given = _given(connection, request, case)
    nodes = case.chain.nodes
    # joining groups breaks no promise of a policy, so what lies above a safe view is safe
    place = bisect_left(range(len(nodes)), True, case.chain.place(degree), key=lambda at: _is_safe(case, given, at))
    if place == len(nodes):
        raise _no_view(case, given)
    _refuse_revealing_together(case, given, nodes[place])
    number = connection.execute(select(func.max(RELEASES.c.number))).scalar_one() or 0
    node, reached = nodes[place], case.chain.degrees[place]
    row = {
        "number": number + 1,
        "dataset": request.dataset,
        "version": case.version[1],
        "requester": request.requester,
        "purpose": request.purpose,
        "trust": str(trust),
        "degree_asked": str(degree),
        "degree_reached": str(reached),
        "node": canonical(node),
        "folder": request.folder,
        "decided": now(),
        "token": token,
        "sha256": None,
        "state": "pending",
    }
    keep(connection, "decided", RELEASES, row)
    models = tuple(case.policy.models)
    return Reservation(number + 1, case.version[1], node, degree, reached, models, case.policy.accept)


def _given(connection: Connection, request: Request, case: _Case) -> list[_Held]:
    """Return, for each coalition of the requester, what its members have together of the whole population.

    Whoever may collude by the policy of one data set of the population may do so with what they have of the others. A
    revoked release counts, and so does one that may have left before the desk lost track of it: nobody can unsee it.
    """
    may_have_left = or_(RELEASES.c.state.in_(["pending", "done", "revoked"]), RELEASES.c.sha256.is_not(None))
    views = select(RELEASES.c.dataset, RELEASES.c.version, RELEASES.c.node).distinct()
    views = views.where(RELEASES.c.dataset.in_(list(case.population.policies)), may_have_left)
    given = []
    for members in _coalitions(case.population, request.requester):
        theirs = views if members is None else views.where(RELEASES.c.requester.in_(sorted(members)))
        nodes: dict[Version, list[Node]] = {}
        for dataset, version, node in connection.execute(theirs):
            nodes.setdefault((dataset, version), []).append(tuple(json.loads(node)))
        given.append({version: FixedChain.meet(each) for version, each in nodes.items()})
    held = {dataset for each in given for dataset, _ in each}
    refuse_unjudged(connection, request.dataset, held)
    _refuse_lacking({version for each in given for version in each} - case.at_hand, request.dataset)
    return given


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
        "Hand in the earlier data again (--earlier FILE), as they were read then (--earlier-schema FILE).",
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


def _is_safe(case: _Case, given: list[_Held], place: int) -> bool:
    """Tell whether a view keeps the promises alone, and together with what each coalition has."""
    node = case.chain.nodes[place]
    together = [{**each, case.version: FixedChain.meet([node, each.get(case.version, node)])} for each in given]
    return all(case.joint.keep(each) for each in [{case.version: node}, *together])


def _refuse_revealing_together(case: _Case, given: list[_Held], node: Node) -> None:
    """Audit what coalitions hold of this version together; the view alone is audited on its way out."""
    joint = {FixedChain.meet([node, each[case.version]]) for each in given if case.version in each}
    for together in sorted(joint - {node}):
        case.joint.refuse_revealing(case.version, together, case.policy.accept)
