"""Attacks: what the published records still disclose about the people behind them, measured attack by attack.

An attack has a rate of success, which is read beside that of guessing (*baseline*) and that of the same attack with
knowledge about somebody else (*control*). Read :mod:`.base` first (what an attack is), then :mod:`.exposure` (what the
attacker sees, and the truth it is judged by) and :mod:`.finding` (what an attack reports, and the risk above the
control). :mod:`.sensitive_attribute` holds what attackers on sensitive values share. Every other room is a family of
attacks that imports none of the others; the registry :data:`attacks` finds every attack that lies here, and loads the
one that is asked for.
"""

from typing import TYPE_CHECKING

from shoal.on_demand import on_demand

from .base import Attack, attacks
from .exposure import Exposure
from .finding import Finding, Outcome, Yardstick

if TYPE_CHECKING:
    from .known_items.exact_knowledge import ExactKnowledge
    from .known_items.label import Label
    from .known_items.nearest import Nearest
    from .known_items.profile_homogeneity import ProfileHomogeneity
    from .known_items.scoreboard import Scoreboard
    from .known_items.structure import Structure
    from .linkability.linkability import Linkability
    from .method_knowledge.downcoding import Downcoding
    from .method_knowledge.minimality import Minimality
    from .rare_items.rare_rater import RareRater
    from .rare_items.rare_rating import RareRating
    from .rare_items.single_rater import SingleRater
    from .sensitive_values.homogeneity import Homogeneity
    from .sensitive_values.similarity import Similarity
    from .sensitive_values.skewness import Skewness
    from .several_releases.intersection import Intersection
    from .several_releases.intersection_values import IntersectionValues
    from .surveys.known_answers import KnownAnswers
    from .uniqueness.risk import TableRisk
    from .uniqueness.risky_columns import RiskyColumns
    from .uniqueness.sample_risk import SampleRisk
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
    "KnownAnswers",
    "Label",
    "Linkability",
    "Minimality",
    "Nearest",
    "Outcome",
    "ProfileHomogeneity",
    "RareRater",
    "RareRating",
    "RiskyColumns",
    "SampleRisk",
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

# a command loads the attacks that it runs
__getattr__, __dir__ = on_demand(__name__, attacks.class_named)
