"""The audit of insensitive columns: do they disclose, alone or with the quasi-identifiers, what the promises hide?

Read :mod:`.audit` first. It objects to columns that single people out (:mod:`.revealing_columns`) and to
columns that depend on generalized quasi-identifiers (:mod:`.dependent_columns`), and in a survey on changed answers
(:mod:`.survey_audit`). The latter rest on
:mod:`.dependency` (which values determine which), :mod:`.known_column` (what an attacker knows of a
quasi-identifier), :mod:`.inferences` (how records are ruled out), and the search for inferences in
:mod:`.pair_inferences` and :mod:`.table_inferences`.
"""

from typing import TYPE_CHECKING

from shoal.on_demand import on_demand, within_modules

from .revealing_columns import Objection, revealing_columns

if TYPE_CHECKING:
    from .audit import audit_columns, refuse_unaccepted
    from .dependency import Dependency, dependencies
    from .survey_audit import audit_survey

__all__ = [
    "Dependency",
    "Objection",
    "audit_columns",
    "audit_survey",
    "dependencies",
    "refuse_unaccepted",
    "revealing_columns",
]

# who verifies a release needs only the columns that single people out
__getattr__, __dir__ = on_demand(
    __name__,
    within_modules(
        __name__,
        {
            "audit": ("audit_columns", "refuse_unaccepted"),
            "dependency": ("Dependency", "dependencies"),
            "survey_audit": ("audit_survey",),
        },
    ),
)
