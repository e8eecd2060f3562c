"""What we hold: records as immutable integer codes, apart from the outside ids they stand for."""

from shoal.data.hierarchies.hierarchy import Hierarchy

from .column import Column, Role
from .growing_array import GrowingArray
from .microdata import Microdata
from .rating_matrix import RatingMatrix
from .ratings import Ratings
from .records import ClassPeople, Records
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
