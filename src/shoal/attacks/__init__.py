"""What still leaks: one attacker a file, each a rate of success beside that of guessing."""

from .base import Attack, attacks
from .exact_knowledge import ExactKnowledge
from .exposure import Exposure
from .finding import Finding, Yardstick
from .label import Label
from .outcome import Outcome
from .structure import Structure
from .subset_uniqueness import SubsetUniqueness

__all__ = [
    "Attack",
    "ExactKnowledge",
    "Exposure",
    "Finding",
    "Label",
    "Outcome",
    "Structure",
    "SubsetUniqueness",
    "Yardstick",
    "attacks",
]
