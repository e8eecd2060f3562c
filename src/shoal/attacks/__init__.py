"""What still leaks: one attacker a file, each a rate of success beside that of guessing."""

from .base import Attack, attacks
from .exact_knowledge import ExactKnowledge
from .exposure import Exposure
from .finding import Finding, Yardstick
from .homogeneity import Homogeneity
from .label import Label
from .outcome import Outcome
from .risky_columns import RiskyColumns
from .scoreboard import Scoreboard
from .similarity import Similarity
from .single_rater import SingleRater
from .skewness import Skewness
from .structure import Structure
from .subset_uniqueness import SubsetUniqueness
from .table_risk import TableRisk

__all__ = [
    "Attack",
    "ExactKnowledge",
    "Exposure",
    "Finding",
    "Homogeneity",
    "Label",
    "Outcome",
    "RiskyColumns",
    "Scoreboard",
    "Similarity",
    "SingleRater",
    "Skewness",
    "Structure",
    "SubsetUniqueness",
    "TableRisk",
    "Yardstick",
    "attacks",
]
