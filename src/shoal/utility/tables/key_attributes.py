"""Number of key attributes: how few columns determine the others.

*Definition.* The quasi-identifiers of the originals, numbers in ten bins of equal frequency, are joined to the tree of
least variation of information; the fewest columns of highest degree whose degrees add up to the number of columns are
the key attributes. *Unit.* Columns.

*Reference.* Thesis, Definition 5.3; the method ``microaggregation:method=approximate`` groups by them alone.
"""

from shoal.data import Microdata
from shoal.evidence import BINS, column_keys
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = ["key_attribute_count"]


@measure("key attributes", unit="columns", quick=False, place=290)
def key_attribute_count(comparison: Comparison) -> int:
    """The number of quasi-identifiers that are key attributes of the original table."""
    if not isinstance(comparison.whole, Microdata):
        raise Unmeasurable("Defined on tables only.")
    if not comparison.whole.quasi_identifiers:
        raise Unmeasurable("There is no quasi-identifier.")
    return len(column_keys(comparison.whole.quasi_identifiers, BINS))
