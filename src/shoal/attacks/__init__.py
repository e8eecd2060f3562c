"""What still leaks: one attacker a file, each a rate of success beside that of guessing."""

from shoal.attacks.known_items.label import Label
from shoal.attacks.known_items.nearest import Nearest
from shoal.attacks.known_items.scoreboard import Scoreboard
from shoal.attacks.known_items.structure import Structure
from shoal.attacks.method_knowledge.downcoding import Downcoding
from shoal.attacks.method_knowledge.minimality import Minimality
from shoal.attacks.sensitive_values.homogeneity import Homogeneity
from shoal.attacks.sensitive_values.similarity import Similarity
from shoal.attacks.sensitive_values.skewness import Skewness
from shoal.attacks.uniqueness.exact_knowledge import ExactKnowledge
from shoal.attacks.uniqueness.risky_columns import RiskyColumns
from shoal.attacks.uniqueness.single_rater import SingleRater
from shoal.attacks.uniqueness.table_risk import TableRisk
from shoal.attacks.uniqueness.unicity import Unicity

from .base import Attack, attacks
from .exposure import Exposure
from .finding import Finding, Outcome, Yardstick
from .linkability import Linkability
from .rare_items import RareRater, RareRating
from .several_releases import Intersection, IntersectionValues

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
