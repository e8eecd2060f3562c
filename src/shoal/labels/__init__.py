"""What published labels may stand for: how they are written, read with the originals at hand and without them."""

from .covered_values import CoveredValues, covered_values
from .halved_hierarchy import HalvedHierarchy, halved_hierarchy
from .parsed_label import ParsedLabel, parsed_label
from .published_column import Form, PublishedColumn, published_column

__all__ = [
    "CoveredValues",
    "Form",
    "HalvedHierarchy",
    "ParsedLabel",
    "PublishedColumn",
    "covered_values",
    "halved_hierarchy",
    "parsed_label",
    "published_column",
]
