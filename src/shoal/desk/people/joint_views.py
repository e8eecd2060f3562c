"""What views reveal together, and whether that keeps the promises.

*Definition.* Whoever has several views and knows somebody finds the group of that person in each of them, and so looks
at the people who are in all of these groups. The joint view of one version of the data is the partition by the tuples
of groups. Levels of a hierarchy nest, so of several nodes this is the view at the smallest level of each attribute.
Cuts of one tree nest, so of several views of it this is the one of all their cuts (:mod:`shoal.desk.views.group_tree`).

With several versions, people are known again by an identifier that the owner has, whoever was not in a version being
*absent* there: that, too, may be known of somebody. Every combination must keep the promises, in each version with the
sensitive values of that version. Where a person may have several records, people are alike if they have the same number
of records in the same groups; that is required only where several versions are joined, and is more than the promises
require of one.

Data sets that have people in common (:mod:`.population`) are joined in the same way, each with its own columns, its
own identifier and its own promises: in each of them, every joint cell must keep the promises of that data set.

*Guarantee.* All of it assumes that colluders can link the records of one view to those of another. They mostly cannot,
and then they know less.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import GroupPromises
from shoal.column_audit import audit_columns, refuse_unaccepted
from shoal.data import Column, Microdata, Role, Vocabulary
from shoal.desk.request import Node
from shoal.desk.views.cut_views import CutViews
from shoal.desk.views.held import Held
from shoal.desk.views.nested_views import NestedViews
from shoal.engines import Engine, LocalEngine, judge
from shoal.errors import AuditRefused, RequestRefused
from shoal.evidence import Grouping
from shoal.models import PrivacyModel, promised_k

from .marks import as_written
from .population import Overlap, Version

__all__ = ["JointCells", "JointViews", "KnownData"]


@dataclass(frozen=True)
class KnownData:
    """A version of a data set that is at hand, what is promised of it, and by which column people are known again."""

    table: Microdata
    models: Sequence[PrivacyModel]
    identifier: str | None


@dataclass(frozen=True)
class JointCells:
    """How far the records of a version are told apart: into how many groups, and of how many the smallest has."""

    groups: int
    smallest: int


class JointViews:
    """The versions of data sets that are at hand, and what their views reveal together."""

    def __init__(
        self,
        known: Mapping[Version, KnownData],
        overlaps: Collection[Overlap] = (),
        engine: Engine | None = None,
        trees: Mapping[Version, NestedViews[Any]] | None = None,
    ) -> None:
        self._engine = engine or LocalEngine()
        self._data = known
        self._overlaps = overlaps
        self._trees = trees or {}
        self._lattices: dict[Version, TableLattice] = {}
        self._compared: set[tuple[Version, Version]] = set()
        self._known: dict[tuple[tuple[Version, Held], ...], bool] = {}

    def keep(self, held: Mapping[Version, Held]) -> bool:
        """Tell whether the promises hold for whoever holds this of each version."""
        key = tuple(sorted(held.items(), key=itemgetter(0)))
        if key not in self._known:
            self._known[key] = all(
                judge(table, self._data[version].models, self._engine).holds
                for version, table in self._joint(held).items()
            )
        return self._known[key]

    def cells(self, held: Mapping[Version, Held]) -> dict[Version, JointCells]:
        """Return how far the records of each version are told apart by whoever holds this."""
        labels = {version: self._engine.group(table).labels for version, table in self._joint(held).items()}
        sizes = {version: np.bincount(each) for version, each in labels.items()}
        return {version: JointCells(len(each), int(each.min()) if len(each) else 0) for version, each in sizes.items()}

    @property
    def counts_people_once(self) -> bool:
        """Whether everybody has one record in each of the data, so that cells of people can be told group by group."""
        return not any(each.table.has_repeated_people for each in self._data.values())

    def unsafe_groups(self, version: Version, held: Mapping[Version, Held]) -> np.ndarray:
        """Return which groups of the tree of a version break a promise if they are shown to whoever holds this.

        They do if those of them who are alike in what is held break it, in this version or in another. Joining groups
        breaks no promise, so what is above a group that is safe is safe.
        """
        assert self.counts_people_once
        views = self._trees[version]
        rows = np.flatnonzero(views.is_shown)
        others = {each: what for each, what in held.items() if each != version}
        own = held.get(version, Held()).levels
        cells = np.zeros(len(rows), np.int64) if own is None else self._labels(version, Held(own))[rows]
        judged = [(rows, self._promises(version, rows))]
        if others:
            self._refuse_unknown({version, *others})
            people = self._rows[version][rows]
            cells = _paired(cells, self._cells(others)[people])
            for other, what in others.items():
                theirs = self._shown(other, what)
                place = np.full(len(self._people), -1, np.int64)
                place[people] = np.arange(len(rows))
                judged.append((place[self._rows[other][theirs]], self._promises(other, theirs)))
        tree, unsafe = views.tree, np.zeros(len(views.tree), bool)
        groups = views.smallest[rows]
        for begin, _ in reversed(tree.depths):
            pairs, of_record = np.unique(np.stack([groups, cells], axis=1), axis=0, return_inverse=True)
            broken = self._broken(judged, of_record.ravel(), len(pairs))
            unsafe[pairs[broken, 0]] = True
            groups = np.where(groups >= begin, tree.parents[groups], groups)
        return unsafe

    @staticmethod
    def _broken(judged: "list[tuple[np.ndarray, GroupPromises]]", cells: np.ndarray, n_cells: int) -> np.ndarray:
        """Return which cells break a promise: first of the records that are in them, then among the same people."""
        (_, own), *others = judged
        broken = ~own.kept(np.arange(len(cells)), cells, n_cells)
        for place, promises in others:
            rows = np.flatnonzero(place >= 0)
            theirs = cells[place[rows]]
            present = np.bincount(theirs, minlength=n_cells) > 0
            broken |= present & ~promises.kept(rows, theirs, n_cells)
        return broken

    def _promises(self, version: Version, rows: np.ndarray) -> GroupPromises:
        """Return what judges groups of those records of a version that are shown."""
        known = self._data[version]
        return GroupPromises(known.table.take(rows), known.models, self._engine)

    def _shown(self, version: Version, held: Held) -> np.ndarray:
        """Return the records of a version that are not withheld from all views that are held."""
        if held.levels is not None or version not in self._trees:
            return np.arange(len(self._data[version].table))
        return np.flatnonzero(self._trees[version].is_shown)

    def refuse_revealing(self, version: Version, held: Held, accept: Collection[str]) -> None:
        """Refuse insensitive columns by which views of one version undo the promises, unless accepted by name."""
        table = self._data[version].table
        if not table.with_role(Role.INSENSITIVE):
            return
        rows = self._shown(version, held)
        rows = np.random.default_rng(0).permutation(rows)  # the audit takes the first records for a sample
        groups = self._labels(version, held)[rows]
        view, k = self._published(version, held).take(rows), promised_k(self._data[version].models) or 2
        objections = audit_columns(view, table.take(rows), Grouping(groups, int(groups.max(initial=-1)) + 1), k)
        try:
            refuse_unaccepted(objections, accept)
        except AuditRefused as refusal:
            raise RequestRefused(
                f"Together with what those who may collude were given before: {refusal.message}", refusal.cure
            ) from None

    def _published(self, version: Version, held: Held) -> Microdata:
        """Return the labels that are known of a version; where a chain and a tree were used, those of the tree."""
        if held.packed is None:
            assert held.levels is not None
            return self._generalized(version, held.levels)
        views = self._trees[version]
        assert isinstance(views, CutViews), "ratings have no columns to be published beside them"
        return views.published(held.cuts(len(views.tree)))

    def _generalized(self, version: Version, levels: Node) -> Microdata:
        """Return a version at some levels."""
        if version not in self._lattices:
            self._lattices[version] = TableLattice(self._data[version].table, self._engine)
        return self._lattices[version].generalized(levels)

    def _joint(self, held: Mapping[Version, Held]) -> dict[Version, Microdata]:
        """Return each version with the group of the joint view in place of its quasi-identifiers."""
        if len(held) == 1:
            ((version, views),) = held.items()
            rows = self._shown(version, views)
            return {version: _grouped(self._data[version].table.take(rows), self._labels(version, views)[rows])}
        self._refuse_unknown(set(held))
        cells = self._cells(held)
        shown = {version: self._shown(version, views) for version, views in held.items()}
        return {
            version: _grouped(self._data[version].table.take(rows), cells[self._rows[version][rows]])
            for version, rows in shown.items()
        }

    def _cells(self, held: Mapping[Version, Held]) -> np.ndarray:
        """Return for each of all people the cell of those who are alike in everything that is held."""
        cells = np.zeros(len(self._people), np.int64)
        for version, views in held.items():
            rows = self._shown(version, views)  # who is withheld is as absent as who was never there
            labels = self._labels(version, views)[rows]
            cells = _paired(cells, _groups_of_people(labels, self._rows[version][rows], len(cells)))
        return cells

    def _labels(self, version: Version, held: Held) -> np.ndarray:
        """Return for each record its group in all views of a version together."""
        labels = np.zeros(len(self._data[version].table), np.int64)
        if held.levels is not None:
            labels = self._engine.group(self._generalized(version, held.levels)).labels
        if held.packed is not None:
            views = self._trees[version]
            groups = np.where(views.is_shown, views.groups(held.cuts(len(views.tree))) + 1, 0)
            labels = _paired(labels, groups)
        return labels

    @cached_property
    def _names(self) -> dict[Version, pl.Series]:
        """For each version, the name of the person of each record, as it is written."""
        return {version: _names(version, known) for version, known in self._data.items()}

    @cached_property
    def _people(self) -> Vocabulary:
        return Vocabulary(pl.concat(self._names.values()).unique())

    @cached_property
    def _rows(self) -> dict[Version, np.ndarray]:
        """For each version, which of all people each record is of."""
        return {version: self._people.codes(names) for version, names in self._names.items()}

    def _refuse_unknown(self, views: set[Version]) -> None:
        """Refuse to join versions in which people are not known again who must be."""
        for overlap in self._overlaps:
            both = overlap.version, overlap.other
            if views >= set(both):
                found = len(np.intersect1d(self._rows[both[0]], self._rows[both[1]]))
                if found < max(overlap.people, 1):
                    noticed = "1 person is" if overlap.people == 1 else f"{overlap.people:,} people are"
                    raise RequestRefused(
                        f"{noticed} known to be in both {_version_name(both[0])} and {_version_name(both[1])}; by the "
                        f"identifiers that the policies name, {'nobody is' if found == 0 else f'only {found:,} are'} "
                        "known again.",
                        "Name identifiers that are the same in both data sets.",
                    )
                self._refuse_clashing(*both)
        for version in sorted(views):
            same = [other for other in self._data if other[0] == version[0] and other != version]
            others = [self._rows[other] for other in same]
            if others and not np.isin(self._rows[version], np.concatenate(others)).any():
                # more likely everybody has a new number than that everybody is new
                raise RequestRefused(
                    f"Nobody of version {version[1]} can be known again in another version by "
                    f"{self._data[version].identifier!r}.",
                    "Write it alike in all files, hand in the versions between, or register others as other data.",
                )

    def _refuse_clashing(self, one: Version, other: Version) -> None:
        """Refuse a column that is published as it is in one data set, and protected in the other under another name."""
        if (one, other) in self._compared:
            return
        for ours, theirs in ((one, other), (other, one)):
            for column in self._data[ours].table.with_role(Role.INSENSITIVE):
                for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE):
                    for protected in self._data[theirs].table.with_role(role):
                        if _are_one(self._by_person(ours, column), self._by_person(theirs, protected)):
                            raise RequestRefused(
                                f"The column {column.name!r} of {_version_name(ours)} is insensitive, but has the "
                                f"values of {protected.name!r} of {_version_name(theirs)}, which is {role}.",
                                "Give it the same role in both; or, if you take the risk, say so on record: "
                                f"shoal desk policy {ours[0]} --apart-from {theirs[0]}.",
                            )
        self._compared.add((one, other))

    def _by_person(self, version: Version, column: Column) -> pl.DataFrame:
        """Return the value of a column for each person; of several records, the smallest value."""
        values = pl.DataFrame({"person": self._rows[version], "value": as_written(column.values)})
        return values.group_by("person").agg(pl.col("value").min())


def _are_one(published: pl.DataFrame, protected: pl.DataFrame) -> bool:
    """Tell whether two columns agree on the people they have in common: Cohen's kappa is at least a half.

    By chance, columns agree that nearly always say the same: that is not counted.
    """
    both = published.join(protected, on="person", suffix="_protected")
    people, agreed = both.height, int((both["value"] == both["value_protected"]).sum())
    first, second = (both[name].value_counts(name="times").rename({name: "v"}) for name in ("value", "value_protected"))
    times = first.join(second, on="v", suffix="_protected")
    by_chance = int((times["times"].cast(pl.Int64) * times["times_protected"].cast(pl.Int64)).sum())
    return by_chance < people**2 and 2 * (agreed * people - by_chance) >= people**2 - by_chance


def _version_name(version: Version) -> str:
    return f"version {version[1]} of {version[0]!r}"


def _names(version: Version, known: KnownData) -> pl.Series:
    if known.identifier is None:
        raise RequestRefused(
            f"People of {version[0]!r} cannot be known again in other data: no identifier is named.",
            _naming(version[0], known.table),
        )
    values = known.table[known.identifier].values
    names = as_written(values).rename("")
    if (names == "").any() or not _names_people(names, known.table):
        raise RequestRefused(
            f"People cannot be known again: the identifier {known.identifier!r} is missing or the same for some.",
            _naming(version[0], known.table) if known.table.unit == "record" else "",
        )
    return names


def _naming(dataset: str, table: Microdata) -> str:
    """Say how people could be known again."""
    if table.unit == "record":
        return "These data count records: say in the schema which column names the person, and register them again."
    return f"Name one: shoal desk policy {dataset} --identifier COLUMN."


def _names_people(names: pl.Series, table: Microdata) -> bool:
    """Tell whether an identifier is another for everybody, and the same in all records of a person."""
    if table.persons is None:
        return table.unit == "person" and names.n_unique() == len(names)
    pairs = pl.DataFrame({"name": names, "person": table.persons})
    return names.n_unique() == table.n_people == pairs.n_unique()


def _groups_of_people(labels: np.ndarray, people: np.ndarray, n_people: int) -> np.ndarray:
    """Number for each person the groups of their records, 0 for nobody's.

    Whoever knows somebody knows all of their records, so people are alike only if they have the same number in the same
    groups: otherwise a record that one of them gained in a new version would show in the difference of the versions.
    """
    groups = np.zeros(n_people, np.int64)
    if len(np.unique(people)) == len(people):
        groups[people] = labels + 1
        return groups
    order = np.lexsort((labels, people))
    present, begins = np.unique(people[order], return_index=True)
    numbers: dict[bytes, int] = {}
    for person, own in zip(present.tolist(), np.split(labels[order], begins[1:]), strict=True):
        groups[person] = numbers.setdefault(own.tobytes(), len(numbers) + 1)
    return groups


def _paired(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Number the pairs of two numberings that occur."""
    pairs = one * (int(other.max(initial=0)) + 1) + other
    return np.unique(pairs, return_inverse=True)[1].astype(np.int64).ravel()


def _grouped(table: Microdata, groups: np.ndarray) -> Microdata:
    """Return a table with groups in place of its quasi-identifiers."""
    used, codes = np.unique(groups, return_inverse=True)
    known = table.quasi_identifiers[0].recoded(Vocabulary.numbered(len(used)), codes)
    others = (column for column in table.columns if column.role is not Role.QUASI_IDENTIFIER)
    return replace(table, columns=(known, *others))
