"""What we hold: records as immutable integer codes, apart from the outside ids they stand for."""

from .class_people import ClassPeople
from .column import Column
from .growing_array import GrowingArray
from .hierarchy import Hierarchy
from .microdata import Microdata
from .rating_matrix import RatingMatrix
from .ratings import Ratings
from .records import Records
from .role import Role
from .scale import Scale
from .vocabulary import Vocabulary

__all__ = [
    "ClassPeople",
    "Column",
    "GrowingArray",
    "Hierarchy",
    "Microdata",
    "RatingMatrix",
    "Ratings",
    "Records",
    "Role",
    "Scale",
    "Vocabulary",
]
