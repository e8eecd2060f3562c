"""The release desk: who asked for which data and what for, what each was given, and that no two of it are too much."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, select

from shoal.anonymizers import Purpose
from shoal.anonymizers.table_lattice import TableLattice
from shoal.data import Microdata, Records, Role
from shoal.data.fingerprint import fingerprint
from shoal.engines import LocalEngine
from shoal.errors import PromiseNotKept, WordingError

from .audit import AuditResult, audit
from .fixed_chain import FixedChain
from .kept_rows import dataset_row, purpose_row, requester_row, rows
from .log import canonical, keep
from .policy import Policy
from .request import Request, Reservation
from .reserve import reserve
from .settle import settle, settle_forgotten
from .store import Store
from .tables import DATASETS, PURPOSES, RELEASES, REQUESTERS, VERSIONS
from .values_print import values_print
from .view_method import view_method

__all__ = ["Desk"]


class Desk:
    """The books of a desk: a path of an SQLite file, or the address of a PostgreSQL database."""

    def __init__(self, where: str | Path) -> None:
        """Open a desk, and settle what earlier commands that were interrupted have left open."""
        self._store = Store(where)
        settle_forgotten(self._store)

    @classmethod
    def create(cls, where: str | Path) -> Self:
        """Make an empty desk."""
        Store.create(where)
        return cls(where)

    def add_purpose(self, name: str, purpose: Purpose) -> None:
        """Add a purpose; it stays what it is, because views were decided on by it."""
        _refuse_odd(name)
        with self._store.transaction() as connection:
            if rows(connection, select(PURPOSES).where(PURPOSES.c.name == name)):
                raise WordingError(f"There is a purpose {name!r} already.", "Choose another name.")
            keep(connection, "purpose", PURPOSES, {"name": name, "settings": canonical(asdict(purpose))})

    def set_requester(self, name: str, trust: Fraction | float) -> None:
        """Add a requester, or say anew how far one is trusted."""
        _refuse_odd(name)
        if not 0 <= trust <= 1:
            raise WordingError("Trust is at least 0 and at most 1.")
        with self._store.transaction() as connection:
            keep(connection, "requester", REQUESTERS, {"name": name, "trust": str(Fraction(str(trust)))})

    def add_dataset(self, name: str, records: Records, policy: Policy) -> FixedChain:
        """Register data by their fingerprint, with the owner's policy; give the chain that nested views lie on."""
        _refuse_odd(name)
        table = _table(records)
        policy.refuse_misfits(table)
        with self._store.transaction() as connection:
            _refuse_taken(connection, name)
            purpose = _purpose(connection, policy)
        chain = _chain(table, policy, purpose)
        with self._store.transaction() as connection:
            _refuse_taken(connection, name)  # in the meantime, perhaps
            _refuse_unknown(connection, policy, _columns(table))
            keep(
                connection,
                "dataset",
                DATASETS,
                {"name": name, "policy": canonical(policy.to_json()), "chain": canonical(chain.to_json())},
            )
            _add_version(connection, name, 1, table)
        return chain

    def add_version(self, name: str, records: Records) -> int:
        """Register changed data of a data set; give the number of the new version."""
        table = _table(records)
        with self._store.transaction() as connection:
            Policy.of_json(json.loads(dataset_row(connection, name)["policy"])).refuse_misfits(table)
            last = _last_version(connection, name)
            if json.loads(last["columns"]) != _columns(table):
                raise WordingError(
                    "A version has the same columns and roles as those before it, and hierarchies of the same height."
                )
            _add_version(connection, name, last["number"] + 1, table)
            return last["number"] + 1

    def change_policy(self, name: str, **changes: Any) -> Policy:
        """Change what the owner of a data set allows; what was given before goes on to count."""
        if "purpose" in changes:
            raise WordingError("The chain of nested views is for one purpose, and stays as it was registered.")
        with self._store.transaction() as connection:
            row = dataset_row(connection, name)
            policy = replace(Policy.of_json(json.loads(row["policy"])), **changes)
            _refuse_unknown(connection, policy, json.loads(_last_version(connection, name)["columns"]))
            changed = {**row, "policy": canonical(policy.to_json())}
            keep(connection, "policy", DATASETS, changed, changed=sorted(changes))
        return policy

    @contextmanager
    def held(self) -> Iterator[str]:
        """Give a token under which a view may be reserved; while it is held, no other command settles that view."""
        with self._store.held() as token:
            yield token

    def reserve(self, token: str, request: Request) -> Reservation:
        """Decide on a request, or raise :class:`shoal.errors.RequestRefused`; both are logged."""
        return reserve(self._store, token, request)

    def settle(self, reservation: Reservation, event: str, **changes: Any) -> None:
        """Write down what became of a reserved view."""
        settle(self._store, reservation.number, event, **changes)

    def releases(self, dataset: str | None = None, requester: str | None = None) -> list[dict[str, Any]]:
        """Give everything that was decided to be given, the first first."""
        asked = select(RELEASES).order_by(RELEASES.c.number)
        with self._store.transaction() as connection:
            if dataset is not None:
                asked = asked.where(RELEASES.c.dataset == dataset_row(connection, dataset)["name"])
            if requester is not None:
                asked = asked.where(RELEASES.c.requester == requester_row(connection, requester)["name"])
            return [_told(row) for row in rows(connection, asked)]

    def revoke(self, number: int, why: str = "") -> None:
        """Say that a release is no longer to be used. Those who have it have seen it: it goes on to count."""
        with self._store.transaction() as connection:
            found = rows(connection, select(RELEASES).where(RELEASES.c.number == number, RELEASES.c.state == "done"))
            if not found:
                raise WordingError(f"There is no release {number} that could be revoked.", "shoal desk releases")
            keep(connection, "revoked", RELEASES, {**found[0], "state": "revoked"}, why=why)

    def audit(self, *, folders: bool = False, noted: str | None = None) -> AuditResult:
        """Check the log, everything that is kept against it and, if asked, the release folders."""
        with self._store.transaction() as connection:
            return audit(connection, folders=folders, noted=noted)


def _refuse_odd(name: str) -> None:
    if not name.strip() or name != name.strip() or "," in name or not name.isprintable():
        raise WordingError("A name has letters, and no comma or space at its ends.")


def _refuse_taken(connection: Connection, name: str) -> None:
    if rows(connection, select(DATASETS).where(DATASETS.c.name == name)):
        raise WordingError(
            f"There is a data set {name!r} already.",
            "Give no policy to register a new version, or change the policy with shoal desk policy.",
        )


def _table(records: Records) -> Microdata:
    if not isinstance(records, Microdata):
        raise WordingError("The desk gives views of tables, and these data are ratings.")
    return records


def _columns(table: Microdata) -> list[dict[str, Any]]:
    """Give what is kept of the schema: nothing that holds a value."""
    lattice = TableLattice(table, LocalEngine())
    height = {
        column.name: hierarchy.height
        for column, hierarchy in zip(table.quasi_identifiers, lattice.hierarchies, strict=True)
    }
    return [
        {"name": column.name, "role": str(column.role), "height": height.get(column.name)} for column in table.columns
    ]


def _add_version(connection: Connection, name: str, number: int, table: Microdata) -> None:
    print_ = fingerprint(table)
    for known in rows(connection, select(VERSIONS).where(VERSIONS.c.fingerprint == print_)):
        raise WordingError(f"These data are registered already: {known['dataset']!r}, version {known['number']}.")
    same = values_print(table)
    for known in rows(connection, select(VERSIONS).where(VERSIONS.c.values_print == same, VERSIONS.c.dataset != name)):
        raise WordingError(
            f"The same values are registered already, in another order or with another schema: {known['dataset']!r}, "
            f"version {known['number']}.",
            "What views of two data sets tell together is not checked: register them as a version of that one.",
        )
    columns = canonical(_columns(table))
    row = {"dataset": name, "number": number, "fingerprint": print_, "values_print": same, "columns": columns}
    keep(connection, "version", VERSIONS, row)


def _last_version(connection: Connection, name: str) -> dict[str, Any]:
    dataset_row(connection, name)
    of_it = select(VERSIONS).where(VERSIONS.c.dataset == name).order_by(VERSIONS.c.number.desc())
    return rows(connection, of_it)[0]


def _purpose(connection: Connection, policy: Policy) -> Purpose:
    if policy.purpose is None:
        return Purpose()
    return Purpose(**json.loads(purpose_row(connection, policy.purpose)["settings"]))


def _chain(table: Microdata, policy: Policy, purpose: Purpose) -> FixedChain:
    method = view_method(purpose, policy.trust_projection, 1)
    chain = method.kept_chain(TableLattice(table, LocalEngine()), policy.models, 0)
    if chain is None:
        raise PromiseNotKept("No generalisation of these data keeps the promises.", "Promise less.")
    return FixedChain.of(chain)


def _refuse_unknown(connection: Connection, policy: Policy, columns: list[dict[str, Any]]) -> None:
    """Refuse names in a policy that stand for nothing: one written wrongly must not pass for a decision."""
    _purpose(connection, policy)
    for requester in {name for coalition in policy.coalitions or () for name in coalition}:
        requester_row(connection, requester)
    roles = {column["name"]: column["role"] for column in columns}
    for name in policy.accept:
        if name not in roles:
            raise WordingError(f"There is no column {name!r} to accept.")
        if roles[name] != str(Role.INSENSITIVE):
            raise WordingError(f"The column {name!r} is not insensitive: only insensitive columns can be accepted.")
    if policy.identifier is not None and roles.get(policy.identifier) != str(Role.IDENTIFIER):
        raise WordingError(f"There is no column {policy.identifier!r} with the role 'identifier'.")


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """Give a release as ``--json`` prints it."""
    del row["token"]
    numbers = {key: float(Fraction(row[key])) for key in ("trust", "degree_asked", "degree_reached")}
    return {**row, **numbers, "node": json.loads(row["node"])}
