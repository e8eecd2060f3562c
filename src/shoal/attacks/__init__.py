"""What still leaks: a file an attacker, by families of what the attacker knows, each a rate of success beside guessing.

:mod:`.exposure` is what an attacker sees and the truth behind it, :mod:`.base` says what an attack is, and
:mod:`.finding` what came of it. The registry :data:`attacks` finds every attack that lies in this room, and loads the
one that is asked for.
"""

from typing import TYPE_CHECKING, Any

from .base import Attack, attacks
from .exposure import Exposure
from .finding import Finding, Outcome, Yardstick

if TYPE_CHECKING:
    from .known_items.label import Label
    from .known_items.nearest import Nearest
    from .known_items.scoreboard import Scoreboard
    from .known_items.structure import Structure
    from .linkability import Linkability
    from .method_knowledge.downcoding import Downcoding
    from .method_knowledge.minimality import Minimality
    from .rare_items import RareRater, RareRating
    from .sensitive_values.homogeneity import Homogeneity
    from .sensitive_values.similarity import Similarity
    from .sensitive_values.skewness import Skewness
    from .several_releases import Intersection, IntersectionValues
    from .uniqueness.exact_knowledge import ExactKnowledge
    from .uniqueness.risky_columns import RiskyColumns
    from .uniqueness.single_rater import SingleRater
    from .uniqueness.table_risk import TableRisk
    from .uniqueness.unicity import Unicity

__all__ = [
    "Attack",
    "Downcoding",
    "ExactKnowledge",
    "Exposure",
    "Finding",
    "Homogeneity",
    "Intersection",
    "IntersectionValues",
    "Label",
    "Linkability",
    "Minimality",
    "Nearest",
    "Outcome",
    "RareRater",
    "RareRating",
    "RiskyColumns",
    "Scoreboard",
    "Similarity",
    "SingleRater",
    "Skewness",
    "Structure",
    "TableRisk",
    "Unicity",
    "Yardstick",
    "attacks",
]


def __getattr__(name: str) -> Any:
    """Import an attack when it is first asked for: a command loads those it runs."""
    if name in __all__:
        return attacks.class_named(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
