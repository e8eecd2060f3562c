"""Rules by which an attacker rules out records: learned from how often values occur together, and applied to records.

A rule knows codes of values and no records. So it is applied to all records at once, or to the records of some groups
wherever these are: which records are ruled out is decided group by group.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .inferences import ClassInference, ExclusionInference, Inference, RangeInference, StratumInference

__all__ = [
    "AuditedRows",
    "ClassRule",
    "ExclusionRule",
    "LabelRule",
    "RangeRule",
    "Rule",
    "SoughtRule",
    "StratumRule",
    "ValueRule",
    "View",
    "WithinRule",
]


class AuditedRows(Protocol):
    """Records of whole groups: what is read in each, and what is known of the person behind it."""

    def read(self, columns: tuple[str, ...]) -> np.ndarray:
        """Return the code of what is read in an insensitive column, or in several together."""
        ...

    def known(self, name: str) -> np.ndarray:
        """Return the code of the original value of a quasi-identifier."""
        ...

    def sought(self, columns: tuple[str, ...], about: tuple[str, ...]) -> np.ndarray:
        """Return the code to look for in columns, by several quasi-identifiers that determine it; −1: any."""
        ...


@dataclass(frozen=True, eq=False)
class View:
    """A quasi-identifier by labels: exact values, a level of its hierarchy, or bins."""

    name: str
    label_of: np.ndarray
    """The label of each value."""
    n_labels: int

    def of(self, rows: AuditedRows) -> np.ndarray:
        """Return the label of each record."""
        return self.label_of[rows.known(self.name)]


@dataclass(frozen=True, eq=False)
class Rule:
    """What is common to all rules."""

    columns: tuple[str, ...]
    """The insensitive columns that are read."""
    about: tuple[str, ...]
    """The quasi-identifiers that depend on them, or on which they depend."""
    whole: bool
    """Whether the columns determine as a whole, and not only by some values."""
    exact: bool
    """Whether they do so without an exception."""

    def on(self, rows: AuditedRows) -> Inference:
        """Return what follows for some records."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ClassRule(Rule):
    """A rule that gives classes to records and to those who look for them."""

    def on(self, rows: AuditedRows) -> ClassInference:
        """Return what follows for some records."""
        of_record, of_target = self.classes(rows)
        return ClassInference(
            self.columns, self.about, self.whole, self.exact, _as_classes(of_record), _as_classes(of_target)
        )

    def classes(self, rows: AuditedRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of each record, and that in which to look for the person behind it."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ValueRule(ClassRule):
    """What is read determines a quasi-identifier; records that are exceptions may be anybody's."""

    view: View
    determined: np.ndarray
    """The label that each value read determines; −1 if none."""

    def classes(self, rows: AuditedRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of each record, and that in which to look for the person behind it."""
        determined, labels = self.determined[rows.read(self.columns)], self.view.of(rows)
        return np.where(determined == labels, determined, -1), labels


@dataclass(frozen=True, eq=False)
class LabelRule(ClassRule):
    """What is known determines what is read; people who are exceptions are looked for anywhere."""

    view: View
    determined: np.ndarray
    """What each label determines; −1 if nothing."""

    def classes(self, rows: AuditedRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of each record, and that in which to look for the person behind it."""
        read, determined = rows.read(self.columns), self.determined[self.view.of(rows)]
        return read, np.where(determined == read, determined, -1)


@dataclass(frozen=True, eq=False)
class SoughtRule(ClassRule):
    """Several quasi-identifiers determine what is read, by more combinations of values than a rule can list."""

    def classes(self, rows: AuditedRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of each record, and that in which to look for the person behind it."""
        read, determined = rows.read(self.columns), rows.sought(self.columns, self.about)
        return read, np.where(determined == read, determined, -1)


@dataclass(frozen=True, eq=False)
class WithinRule(ClassRule):
    """Within strata, what is known determines what is read."""

    of_stratum: View
    inside: View
    determined: np.ndarray
    """What each label inside a stratum determines: one axis for strata, one for labels."""

    def classes(self, rows: AuditedRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of each record, and that in which to look for the person behind it."""
        read = rows.read(self.columns)
        sought = self.determined[self.of_stratum.of(rows), self.inside.of(rows)]
        return read, np.where(sought == read, sought, -1)


@dataclass(frozen=True, eq=False)
class StratumRule(Rule):
    """Within strata, what is read determines what is known."""

    of_stratum: View
    inside: View
    determined: np.ndarray
    """What each value read in a stratum determines: one axis for strata, one for values."""

    def on(self, rows: AuditedRows) -> StratumInference:
        """Return what follows for some records."""
        read, strata, known = rows.read(self.columns), self.of_stratum.of(rows), self.inside.of(rows)
        parts = []
        for stratum in np.flatnonzero((self.determined >= 0).any(axis=1)):
            of_record = self.determined[stratum][read]
            # people of the stratum who are exceptions are looked for anywhere
            of_target = np.where((strata == stratum) & (of_record == known), known, -1)
            parts.append(
                ClassInference(self.columns, self.about, False, False, _as_classes(of_record), _as_classes(of_target))
            )
        return StratumInference(self.columns, self.about, parts)


@dataclass(frozen=True, eq=False)
class ExclusionRule(Rule):
    """Values that do not occur together."""

    view: View
    excluded: np.ndarray
    """Whether what is known (first axis) and what is read (second axis) exclude each other."""

    def on(self, rows: AuditedRows) -> ExclusionInference:
        """Return what follows for some records."""
        known, read = self.view.of(rows).astype(np.int64), rows.read(self.columns).astype(np.int64)
        return ExclusionInference(self.columns, self.about, self.excluded, known, read)


@dataclass(frozen=True, eq=False)
class RangeRule(Rule):
    """What is read determines the range of a quasi-identifier; records outside it may be anybody's."""

    view: View
    """The quasi-identifier by ranks."""
    lowest: np.ndarray
    """By value read, the lowest rank."""
    highest: np.ndarray

    def on(self, rows: AuditedRows) -> RangeInference:
        """Return what follows for some records."""
        read, ranks = rows.read(self.columns), self.view.of(rows)
        low, high = self.lowest[read], self.highest[read]
        outside = (ranks < low) | (ranks > high)
        lowest, highest = np.where(outside, 0, low), np.where(outside, self.view.n_labels - 1, high)
        return RangeInference(self.columns, self.about, lowest, highest, ranks)


def _as_classes(labels: np.ndarray) -> np.ndarray:
    """Return labels with half the memory."""
    return labels.astype(np.int32, copy=False)
