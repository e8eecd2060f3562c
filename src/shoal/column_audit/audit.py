"""The audit of insensitive columns, which no promise covers, and its refusal."""

import shlex
from collections.abc import Collection, Sequence

import numpy as np

from shoal.data import Microdata, Role
from shoal.errors import AuditRefused
from shoal.evidence import Grouping

from .audited_table import AuditedTable
from .dependent_columns import dependent_columns
from .revealing_columns import Objection, revealing_columns

__all__ = ["audit_columns", "refuse_unaccepted"]


def audit_columns(published: Microdata, original: Microdata, grouping: Grouping, k: int) -> tuple[Objection, ...]:
    """Judge the insensitive columns of a release together and beside the quasi-identifiers.

    ``original`` has the same records in the same order, ``grouping`` are the equivalence classes of the published
    quasi-identifiers, and ``k`` is the required number of people in each. People are counted where the original has
    persons, otherwise records. Objections do not depend on what is accepted: whoever accepts all columns in them has
    accepted everything.
    """
    columns = published.with_role(Role.INSENSITIVE)
    if not columns or not len(published):
        return ()
    persons = None if original.persons is None else np.unique(original.persons, return_inverse=True)[1]
    revealing = revealing_columns(columns, k, persons)
    objections = () if revealing is None else (revealing,)
    spared = () if revealing is None else revealing.columns
    records = AuditedTable(columns, published, original, grouping, persons)
    return (*objections, *dependent_columns(records, [column.name for column in columns], k, spared))


def refuse_unaccepted(objections: Sequence[Objection], accept: Collection[str]) -> tuple[str, ...]:
    """Return the columns accepted against the audit; refuse if one that it objects to is not accepted."""
    against = tuple(dict.fromkeys(name for objection in objections for name in objection.columns))
    open_ = [each for each in objections if not set(each.columns) <= set(accept)]
    if not open_:
        return against
    missing = [name for name in against if name not in accept]
    instead = tuple(dict.fromkeys(name for objection in open_ for name in objection.instead))
    become = "it a quasi-identifier" if len(instead) == 1 else "them quasi-identifiers"
    raise AuditRefused(
        " ".join(objection.reason for objection in open_),
        f"Drop {', '.join(instead)} or make {become}; "
        f"or accept each by name ({' '.join(f'--accept {shlex.quote(name)}' for name in missing)}).",
    )
