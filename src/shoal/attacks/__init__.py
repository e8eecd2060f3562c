"""What still leaks: one attacker a file, each a rate of success beside that of guessing."""

from .base import Attack, attacks
from .downcoding import Downcoding
from .exact_knowledge import ExactKnowledge
from .exposure import Exposure
from .finding import Finding, Yardstick
from .homogeneity import Homogeneity
from .intersection import Intersection
from .intersection_values import IntersectionValues
from .label import Label
from .linkability import Linkability
from .minimality import Minimality
from .nearest import Nearest
from .outcome import Outcome
from .rare_rater import RareRater
from .rare_rating import RareRating
from .risky_columns import RiskyColumns
from .scoreboard import Scoreboard
from .similarity import Similarity
from .single_rater import SingleRater
from .skewness import Skewness
from .structure import Structure
from .table_risk import TableRisk
from .unicity import Unicity

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
