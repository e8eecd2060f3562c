"""Which records break a promise, and what singles them out: a file for the owner of the data alone.

:mod:`.at_risk` finds the records of one promise and what they lack; :mod:`.explanation` writes them to the file.
"""

from .explanation import Explanation, write_explanation

__all__ = ["Explanation", "write_explanation"]
