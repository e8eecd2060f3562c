"""What views reveal together, and whether that keeps the promises.

*Definition.* Whoever has several views and knows somebody finds the group of that person in each of them, and so looks
at the people who are in all of these groups. The joint view of one version of the data, generalized to several nodes,
is the partition by the tuples of groups. Levels of a hierarchy nest, so this is the view at the smallest level of each
attribute.

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

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.column_audit import audit_columns, refuse_unaccepted
from shoal.data import Column, Microdata, Role, Vocabulary
from shoal.desk.request import Node
from shoal.engines import Engine, LocalEngine, judge
from shoal.errors import AuditRefused, RequestRefused
from shoal.evidence import Grouping
from shoal.models import PrivacyModel, promised_k

from .marks import as_written
from .population import Overlap, Version

__all__ = ["JointViews", "KnownData"]


@dataclass(frozen=True)
class KnownData:
    """A version of a data set that is at hand, what is promised of it, and by which column people are known again."""

    table: Microdata
    models: Sequence[PrivacyModel]
    identifier: str | None


class JointViews:
    """The versions of data sets that are at hand, and what their views reveal together."""

    def __init__(
        self, known: Mapping[Version, KnownData], overlaps: Collection[Overlap] = (), engine: Engine | None = None
    ) -> None:
        self._engine = engine or LocalEngine()
        self._data = known
        self._overlaps = overlaps
        self._lattices = {version: TableLattice(each.table, self._engine) for version, each in known.items()}
        self._compared: set[tuple[Version, Version]] = set()
        self._known: dict[tuple[tuple[Version, Node], ...], bool] = {}

    def keep(self, nodes: Mapping[Version, Node]) -> bool:
        """Tell whether the promises hold for whoever has these views, one of each version."""
        key = tuple(sorted(nodes.items()))
        if key not in self._known:
            self._known[key] = all(
                judge(table, self._data[version].models, self._engine).holds
                for version, table in self._joint(nodes).items()
            )
        return self._known[key]

    def refuse_revealing(self, version: Version, node: Node, accept: Collection[str]) -> None:
        """Refuse insensitive columns by which a view of one version undoes the promises, unless accepted by name."""
        table = self._data[version].table
        rows = np.random.default_rng(0).permutation(len(table))  # the audit takes the first records for a sample
        view = self._lattices[version].generalized(node).take(rows)
        objections = audit_columns(
            view, table.take(rows), self._engine.group(view), promised_k(self._data[version].models) or 2
        )
        try:
            refuse_unaccepted(objections, accept)
        except AuditRefused as refusal:
            raise RequestRefused(
                f"Together with what those who may collude were given before: {refusal.message}", refusal.cure
            ) from None

    def _joint(self, nodes: Mapping[Version, Node]) -> dict[Version, Microdata]:
        """Return each version with the group of the joint view in place of its quasi-identifiers."""
        views = {version: self._lattices[version].generalized(node) for version, node in nodes.items()}
        if len(views) == 1:
            return views
        self._refuse_unknown(set(views))
        cells = np.zeros(len(self._people), np.int64)
        for version, view in views.items():
            groups, found = _groups_of_people(self._engine.group(view), self._rows[version], len(cells))
            cells = np.unique(cells * found + groups, return_inverse=True)[1].astype(np.int64)
        return {version: _grouped(view, cells[self._rows[version]]) for version, view in views.items()}

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


def _groups_of_people(grouping: Grouping, people: np.ndarray, n_people: int) -> tuple[np.ndarray, int]:
    """Number for each person the groups of their records, 0 for nobody's; return how many numbers there are.

    Whoever knows somebody knows all of their records, so people are alike only if they have the same number in the same
    groups: otherwise a record that one of them gained in a new version would show in the difference of the versions.
    """
    groups = np.zeros(n_people, np.int64)
    if len(np.unique(people)) == len(people):
        groups[people] = grouping.labels + 1
        return groups, grouping.n_groups + 1
    order = np.lexsort((grouping.labels, people))
    present, begins = np.unique(people[order], return_index=True)
    numbers: dict[bytes, int] = {}
    for person, labels in zip(present.tolist(), np.split(grouping.labels[order], begins[1:]), strict=True):
        groups[person] = numbers.setdefault(labels.tobytes(), len(numbers) + 1)
    return groups, len(numbers) + 1


def _grouped(table: Microdata, groups: np.ndarray) -> Microdata:
    """Return a table with groups in place of its quasi-identifiers."""
    used, codes = np.unique(groups, return_inverse=True)
    known = table.quasi_identifiers[0].recoded(Vocabulary.numbered(len(used)), codes)
    others = (column for column in table.columns if column.role is not Role.QUASI_IDENTIFIER)
    return replace(table, columns=(known, *others))
