"""What still leaks: one attacker a file, each a rate of success beside that of guessing."""

from .base import Attack, attacks
from .exposure import Exposure
from .finding import Finding
from .label import Label
from .outcome import Outcome
from .structure import Structure

__all__ = ["Attack", "Exposure", "Finding", "Label", "Outcome", "Structure", "attacks"]
