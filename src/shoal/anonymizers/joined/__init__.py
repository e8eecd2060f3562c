"""The method ``joined``: demographics generalized, and answers made alike among people of equal demographics.

Read :mod:`.joined` first; :mod:`.demands` says what the promises on a survey demand of each part,
:mod:`.answers_by_class` makes the answers of each class alike, and :mod:`.merged_groups` merges groups of which the
sensitive values are too much alike.
"""

from .joined import Joined

__all__ = ["Joined"]
