"""What is left of use, and what of truth: one measure a file, each a number from original and published records."""

from .average_group_size import average_group_size
from .cells_changed import cells_changed
from .comparison import Comparison
from .discernability import discernability
from .distortion import distortion
from .ratings_dropped import ratings_dropped
from .ratings_invented import ratings_invented
from .records_withheld import records_withheld

__all__ = [
    "MEASURES",
    "Comparison",
    "average_group_size",
    "cells_changed",
    "discernability",
    "distortion",
    "ratings_dropped",
    "ratings_invented",
    "records_withheld",
]

MEASURES = {
    "distortion": distortion,
    "cells changed": cells_changed,
    "ratings invented": ratings_invented,
    "ratings dropped": ratings_dropped,
    "records withheld": records_withheld,
    "discernability": discernability,
    "average group size": average_group_size,
}
"""Every measure by the name it is reported under."""
