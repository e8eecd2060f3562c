"""Published labels: which original values a generalized value may stand for.

Read first :mod:`.parsed_label`, the form of a label as it is written (:mod:`shoal.data.written_label` writes them);
then :mod:`.published_column`, which reads a column beside its originals with :mod:`.stretches` and
:mod:`.halved_hierarchy`, and :mod:`.label_loss`, the information that labels lose; last :mod:`.covered_values`, which
reads labels without the originals, for values known from elsewhere (:mod:`.known_values`).
"""

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
