"""Records in memory: immutable integer codes, separate from the values and identifiers they stand for.

Read first :mod:`.records`, what all records have; then tables: :mod:`.vocabulary`, :mod:`.column`, :mod:`.microdata`
and :mod:`.hierarchies`; then ratings: :mod:`.scale`, :mod:`.rating_matrix`, :mod:`.ratings`, :mod:`.ranked_rows`,
:mod:`.item_tree` and :mod:`.item_periods`; and both of the same people: :mod:`.survey`. :mod:`.written_label` writes
the labels of generalized values, :mod:`.time_span` reads written times, :mod:`.same_values` matches values of different
types, :mod:`.fingerprint` identifies data, and :mod:`.growing_array` collects them while they are read.
"""

from shoal.data.hierarchies.hierarchy import Hierarchy

from .column import Column, Role
from .counted_column import CountedColumn
from .growing_array import GrowingArray
from .item_tree import ItemTree, as_published
from .microdata import Microdata
from .ranked_rows import RankedRows
from .rating_matrix import RatingMatrix
from .ratings import Ratings
from .records import ClassPeople, Records, kind_in_words, kinds_in_words
from .scale import PRESENT, Scale
from .survey import PARTS, Part, Survey, part_of
from .vocabulary import Vocabulary

__all__ = [
    "PARTS",
    "PRESENT",
    "ClassPeople",
    "Column",
    "CountedColumn",
    "GrowingArray",
    "Hierarchy",
    "ItemTree",
    "Microdata",
    "Part",
    "RankedRows",
    "RatingMatrix",
    "Ratings",
    "Records",
    "Role",
    "Scale",
    "Survey",
    "Vocabulary",
    "as_published",
    "kind_in_words",
    "kinds_in_words",
    "part_of",
]
