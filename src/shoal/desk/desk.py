"""The release desk: who requested which data for what purpose, what was released, and that it is safe together."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, func, select

from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata, Records, Role
from shoal.data.fingerprint import fingerprint
from shoal.engines import LocalEngine
from shoal.errors import ConfirmationAwaited, PromiseNotKept, WordingError

from .audit import AuditResult, audit
from .books.entries import listed_log
from .books.part import Part
from .books.tables import listed_approval, listed_release
from .dry_run import DryRun
from .keeping.kept import content_of, keep_content, keep_path, kept_bytes, kept_datasets, needed_versions
from .listings import BOOKS, listed_book
from .names import known_name
from .oversight.approvals import decide_approval
from .oversight.proposals import confirm_proposal, needs_second_person, propose, reject_proposal
from .oversight.terms import AS_BEFORE, close_requester, set_terms
from .people.marks import AsWritten, Marks
from .people.named_populations import refuse_misfit_population
from .people.people_table import USER, are_columns_of_ratings, people_table
from .people.population import Overlap, Version, add_marks, population_of, refuse_unmarked, unjudged
from .policy import Policy, view_method
from .request import FixedChain, Request, Reservation
from .reserve import foreseen, reserve
from .settle import settle, settle_forgotten
from .store.anchor import set_anchor
from .store.log import canonical, keep
from .store.rows import dataset_row, new_name, purpose_row, requester_row, rows
from .store.secret import secret_of
from .store.store import Store
from .store.tables import DATASETS, LOG, MARKS, PURPOSES, RELEASES, VERSIONS
from .views.trees_of_versions import new_views

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

    def add_purpose(self, name: str, purpose: Purpose) -> str:
        """Add a purpose; it stays what it is, because views were decided on by it. Return its name as it is kept."""
        with self._store.transaction() as connection:
            name = new_name(connection, PURPOSES, name)
            keep(connection, "purpose", PURPOSES, {"name": name, "settings": canonical(asdict(purpose))})
        return name

    def set_requester(
        self,
        name: str,
        trust: Fraction | float,
        *,
        until: str = AS_BEFORE,
        purposes: Sequence[str] | str | None = AS_BEFORE,
        reopen: bool = False,
    ) -> str:
        """Add a requester, or change the trust in one. Return the name as it is kept.

        ``until`` is when the trust ends (``2027-01-31``, a time with its zone, ``never``), and ``purposes`` are those
        it may ask for, None for all. What is not said stays as it was. A requester that was closed is opened again only
        if ``reopen`` says so.
        """
        with self._store.transaction() as connection:
            return set_terms(connection, name, trust, until, purposes, reopen=reopen)["name"]

    def close_requester(self, name: str, why: str = "") -> None:
        """Give a requester nothing more. What it was given goes on to count."""
        with self._store.transaction() as connection:
            close_requester(connection, name, why)

    def add_dataset(self, name: str, records: Records, policy: Policy, written: AsWritten | None = None) -> FixedChain:
        """Register data by their fingerprint, with the owner's policy; return the chain that nested views lie on.

        ``written`` are the fields as they stand in the file; without them, values are taken as they would be written.
        """
        table = people_table(records)
        policy.refuse_misfits(records)
        columns = _columns(records, table)
        policy = _named(policy, columns)
        with self._store.transaction() as connection:
            name = new_name(connection, DATASETS, name)
            refuse_unmarked(connection, name)
            purpose = _purpose(connection, policy)
            secret = secret_of(connection)
        chain = _chain(table, policy, purpose) if isinstance(records, Microdata) else FixedChain((), ())
        marks = Marks.of(table, written or AsWritten.of(table), secret)
        with self._store.transaction() as connection:
            new_name(connection, DATASETS, name)  # taken in the meantime, perhaps
            refuse_unmarked(connection, name)
            _refuse_unknown(connection, policy, columns)
            refuse_misfit_population(connection, name, policy)
            if needs_second_person(connection, None, policy):
                raise WordingError(
                    "The policy of a data set that these data are to be judged apart from asks for two people.",
                    "Register the data without, and propose it with shoal desk policy.",
                )
            row = {"name": name, "policy": canonical(policy.to_json()), "chain": canonical(chain.to_json())}
            keep(connection, "dataset", DATASETS, row)
            _add_version(connection, (name, 1), fingerprint(records), columns, marks)
        return chain

    def count_views(self, name: str, records: Records) -> int:
        """Return how many nested views of data there are, from the finest one that keeps the promises to the coarsest.

        So many there are of data of which nothing was given yet.
        """
        with self._store.transaction() as connection:
            row = dataset_row(connection, known_name(name))
            policy = Policy.of_json(json.loads(row["policy"]))
            purpose, secret = _purpose(connection, policy), secret_of(connection)
        if policy.is_recoded_locally(records):
            return len(new_views(records, people_table(records), policy, purpose, secret))
        return len(json.loads(row["chain"])["nodes"])

    def add_version(self, name: str, records: Records, written: AsWritten | None = None) -> int:
        """Register changed data of a data set; return the number of the version.

        A version that a desk had before it noticed people in several data sets is completed when it is handed in again.
        """
        table, print_ = people_table(records), fingerprint(records)
        columns = _columns(records, table)
        with self._store.transaction() as connection:
            name, secret = known_name(name), secret_of(connection)
        marks = Marks.of(table, written or AsWritten.of(table), secret)
        with self._store.transaction() as connection:
            Policy.of_json(json.loads(dataset_row(connection, name)["policy"])).refuse_misfits(records)
            known = rows(
                connection, select(VERSIONS).where(VERSIONS.c.dataset == name, VERSIONS.c.fingerprint == print_)
            )
            if known and not _is_marked(connection, (name, known[0]["number"])):
                keep(connection, "version", VERSIONS, {**known[0], "values_print": marks.values_print})
                add_marks(connection, (name, known[0]["number"]), marks)
                return known[0]["number"]
            refuse_unmarked(connection, name)
            last = _last_version(connection, name)
            if json.loads(last["columns"]) != columns:
                raise WordingError(
                    "A version has the same columns and roles as those before it, and hierarchies of the same height."
                )
            number = last["number"] + 1
            _add_version(connection, (name, number), print_, columns, marks)
            return number

    def overlaps(self, name: str) -> list[Overlap]:
        """Return the overlaps of a data set with others, except those that it is judged apart from."""
        with self._store.transaction() as connection:
            found = population_of(connection, known_name(name)).overlaps
        return [each for each in found if known_name(name) in (each.version[0], each.other[0])]

    def warnings(self, name: str) -> list[str]:
        """Return why views of a data set and of those it overlaps with cannot be judged together, in sentences."""
        with self._store.transaction() as connection:
            found = unjudged(connection, known_name(name))
        consequence = "Whoever may hold a view of one is refused the other."
        return [f"{each.message} {consequence} {each.cure}" for each in found]

    def change_policy(self, name: str, **changes: Any) -> Policy:
        """Change what the owner of a data set allows; what was released before still counts.

        Where two people are needed, the change is proposed, and :class:`shoal.errors.ConfirmationAwaited` raised.
        """
        if "purpose" in changes:
            raise WordingError("The chain of nested views is for one purpose, and stays as it was registered.")
        if "beta" in changes:
            raise WordingError("The degrees of nested views are weighed in one way, which stays as it was registered.")
        with self._store.transaction() as connection:
            row = dataset_row(connection, known_name(name))
            before = Policy.of_json(json.loads(row["policy"]))
            policy = replace(before, **changes)
            _refuse_unknown(connection, policy, json.loads(_last_version(connection, row["name"])["columns"]))
            refuse_misfit_population(connection, row["name"], policy)
            if not needs_second_person(connection, before, policy):
                changed = {**row, "policy": canonical(policy.to_json())}
                keep(connection, "policy", DATASETS, changed, changed=sorted(changes))
                return policy
            number = propose(connection, row, policy, changes)
        raise ConfirmationAwaited(number)

    def confirm(self, number: int) -> Policy:
        """Let a change of a policy hold that somebody else has proposed; return the policy."""
        with self._store.transaction() as connection:
            return Policy.of_json(json.loads(confirm_proposal(connection, number)["policy"]))

    def reject(self, number: int, why: str = "") -> None:
        """Let a change of a policy that was proposed never hold."""
        with self._store.transaction() as connection:
            reject_proposal(connection, number, why)

    def approve(self, number: int, why: str = "") -> dict[str, Any]:
        """Approve a request that waits; whoever asked for it does not."""
        with self._store.transaction() as connection:
            return listed_approval(decide_approval(connection, number, "approved", why))

    def refuse(self, number: int, why: str) -> dict[str, Any]:
        """Refuse a request that waits for approval."""
        with self._store.transaction() as connection:
            return listed_approval(decide_approval(connection, number, "refused", why))

    @contextmanager
    def held(self) -> Iterator[str]:
        """Return a token under which a view may be reserved; while it is held, no other command settles that view."""
        with self._store.held() as token:
            yield token

    def reserve(self, token: str, request: Request) -> Reservation:
        """Decide on a request, or raise :class:`shoal.errors.RequestRefused`; both are logged."""
        return reserve(self._store, token, request)

    def keep_content(self, fingerprint: str, content: bytes, key: bytes) -> Version:
        """Keep the data of a registered version, sealed with a key that is not kept."""
        with self._store.transaction() as connection:
            return keep_content(connection, fingerprint, content, key)

    def keep_path(self, fingerprint: str, path: str, schema: str | None) -> Version:
        """Write down where the data of a registered version are."""
        with self._store.transaction() as connection:
            return keep_path(connection, fingerprint, path, schema)

    def needed_versions(self, dataset: str) -> dict[Version, dict[str, Any] | None]:
        """Return the versions that a request for a data set needs, its newest first, and where each is kept."""
        with self._store.reading() as connection:
            return needed_versions(connection, known_name(dataset))

    def population(self, name: str) -> list[str]:
        """Return the data sets that are judged together with one, itself among them."""
        with self._store.reading() as connection:
            return sorted(population_of(connection, known_name(name)).policies)

    def kept_datasets(self) -> set[str]:
        """Return the data sets of which a version is kept, or its place known."""
        with self._store.reading() as connection:
            return kept_datasets(connection)

    def kept_bytes(self, datasets: Sequence[str]) -> int:
        """Return how many bytes are kept of some data sets, sealed."""
        with self._store.reading() as connection:
            return kept_bytes(connection, datasets)

    def content_of(self, kept: dict[str, Any], key: bytes) -> bytes:
        """Return the data of a version that the desk keeps."""
        with self._store.reading() as connection:
            return content_of(connection, kept, key)

    def foreseen(self, request: Request) -> DryRun:
        """Return what a request would get now and what each coalition would then know, or raise as it would."""
        return foreseen(self._store, request)

    def settle(self, reservation: Reservation, event: str, **changes: Any) -> None:
        """Write down what became of a reserved view."""
        settle(self._store, reservation.number, event, **changes)

    def book(
        self,
        name: str,
        *,
        most: int | None = None,
        after: int = 0,
        upto: int | None = None,
        newest_first: bool = False,
        **filters: str | None,
    ) -> list[dict[str, Any]]:
        """Return one of the books (:data:`shoal.desk.listings.BOOKS`), or what filters choose of it.

        Of books whose rows are numbered, ``most`` are returned at most, of those after and up to a number.
        """
        if name not in BOOKS:
            raise WordingError("The desk has no such book.", f"It has: {', '.join(BOOKS)}.")
        with self._store.reading() as connection:
            part = {"most": most, "after": after, "upto": upto, "newest_first": newest_first}
            return listed_book(connection, name, filters, **part)

    def release(self, number: int | None = None, *, folder: str | Path | None = None) -> dict[str, Any] | None:
        """Return the release of a number, or the one that was to be in a folder; None where there is none."""
        is_it = RELEASES.c.number == number if folder is None else RELEASES.c.folder == str(folder)
        with self._store.reading() as connection:
            return listed_release(connection, is_it)

    def count_log(self) -> int:
        """Return how many entries the log has."""
        with self._store.reading() as connection:
            return connection.execute(select(func.count()).select_from(LOG)).scalar_one()

    def releases(self, dataset: str | None = None, requester: str | None = None) -> list[dict[str, Any]]:
        """Return every release that was decided on, oldest first."""
        return self.book("releases", dataset=dataset, requester=requester)

    def log(self, after: int = 0, most: int = 1000) -> list[dict[str, Any]]:
        """Return the entries of the log after a number, at most so many."""
        with self._store.reading() as connection:
            return listed_log(connection, Part(after=after, most=most))

    def revoke(self, number: int, why: str = "") -> None:
        """Mark a release as no longer to be used. It cannot be unseen, so it still counts."""
        with self._store.transaction() as connection:
            found = rows(connection, select(RELEASES).where(RELEASES.c.number == number, RELEASES.c.state == "done"))
            if not found:
                raise WordingError(f"There is no release {number} that could be revoked.", "shoal desk releases")
            keep(connection, "revoked", RELEASES, {**found[0], "state": "revoked"}, why=why)

    def set_anchor(self, *, file: str | Path | None = None, command: str | None = None) -> None:
        """Let the head of the log be written outside at each change: into a file, or by a command that reads a line.

        Without either, it is written nowhere any more. A change whose head cannot be written is not made.
        """
        if file is not None and command is not None:
            raise WordingError("An anchor is either a file or a command.")
        with self._store.transaction() as connection:
            if command is not None:
                set_anchor(connection, "command", command)
            else:
                set_anchor(connection, "none" if file is None else "file", str(file or ""))

    def audit(
        self, *, folders: bool = False, noted: str | None = None, anchor: str | Path | None = None
    ) -> AuditResult:
        """Check the log, all that is kept against it, its anchors and, if asked, the release folders."""
        with self._store.transaction() as connection:
            return audit(connection, folders=folders, noted=noted, anchor=anchor)


def _columns(records: Records, table: Microdata) -> list[dict[str, Any]]:
    """Return what is kept of the schema; it contains no value of a record."""
    height = {}
    if isinstance(records, Microdata):
        hierarchies = TableLattice(table, LocalEngine()).hierarchies
        height = {column.name: each.height for column, each in zip(table.quasi_identifiers, hierarchies, strict=True)}
    return [
        {"name": column.name, "role": str(column.role), "height": height.get(column.name)} for column in table.columns
    ]


def _named(policy: Policy, columns: list[dict[str, Any]]) -> Policy:
    """Return the policy with the identifier of a rating set, whose users name people without anybody saying so."""
    has_users = are_columns_of_ratings(columns) and columns[0]["name"] == USER
    return replace(policy, identifier=USER) if has_users and policy.identifier is None else policy


def _add_version(
    connection: Connection, version: Version, print_: str, columns: list[dict[str, Any]], marks: Marks
) -> None:
    name, number = version
    for known in rows(connection, select(VERSIONS).where(VERSIONS.c.fingerprint == print_)):
        raise WordingError(f"These data are registered already: {known['dataset']!r}, version {known['number']}.")
    same = select(VERSIONS).where(VERSIONS.c.values_print == marks.values_print, VERSIONS.c.dataset != name)
    for known in rows(connection, same):
        raise WordingError(
            f"The same values are registered already, in another order or with another schema: {known['dataset']!r}, "
            f"version {known['number']}.",
            "Register them as a version of that data set.",
        )
    row = {"dataset": name, "number": number, "fingerprint": print_, "values_print": marks.values_print}
    keep(connection, "version", VERSIONS, {**row, "columns": canonical(columns)})
    add_marks(connection, version, marks)


def _is_marked(connection: Connection, version: Version) -> bool:
    asked = select(MARKS.c.number).where(MARKS.c.dataset == version[0], MARKS.c.number == version[1])
    return connection.execute(asked).first() is not None


def _last_version(connection: Connection, name: str) -> dict[str, Any]:
    dataset_row(connection, name)
    of_it = select(VERSIONS).where(VERSIONS.c.dataset == name).order_by(VERSIONS.c.number.desc())
    return rows(connection, of_it)[0]


def _purpose(connection: Connection, policy: Policy) -> Purpose:
    if policy.purpose is None:
        return Purpose()
    return Purpose(**json.loads(purpose_row(connection, policy.purpose)["settings"]))


def _chain(table: Microdata, policy: Policy, purpose: Purpose) -> FixedChain:
    weight, beta = policy.step_weights
    method = view_method(purpose, policy.trust_projection, 1, weight=weight, beta=beta)
    chain = method.kept_chain(TableLattice(table, LocalEngine()), policy.models)
    if chain is None:
        raise PromiseNotKept("No generalization of these data keeps the promises.", "Promise less.")
    return FixedChain.of(chain)


def _refuse_unknown(connection: Connection, policy: Policy, columns: list[dict[str, Any]]) -> None:
    """Refuse names in a policy that stand for nothing: one written wrongly must not pass for a decision."""
    if are_columns_of_ratings(columns):
        policy.refuse_parts_of_tables()
    _purpose(connection, policy)
    for requester in {name for coalition in policy.coalitions or () for name in coalition}:
        requester_row(connection, requester)
    for other in policy.apart_from:
        dataset_row(connection, other)
    roles = {column["name"]: column["role"] for column in columns}
    for name in policy.accept:
        if name not in roles:
            raise WordingError(f"There is no column {name!r} to accept.")
        if roles[name] != str(Role.INSENSITIVE):
            raise WordingError(f"The column {name!r} is not insensitive: only insensitive columns can be accepted.")
    if policy.identifier is not None and roles.get(policy.identifier) != str(Role.IDENTIFIER):
        raise WordingError(f"There is no column {policy.identifier!r} with the role 'identifier'.")
