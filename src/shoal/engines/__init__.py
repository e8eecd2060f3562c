"""Engines turn records into evidence, and know no thresholds.

Read first :mod:`.base`, what an engine can do, and :mod:`.judge`, which puts evidence before promises; then
:mod:`.local`, the engine of this process, and the searches it uses: :mod:`.people_by_group`, :mod:`.neighbor_search`,
:mod:`.partition_search`, :mod:`.item_set_search`, :mod:`.item_support_search`. :mod:`.nearest_others` and
:mod:`.smallest_rare_sets` explain who is at risk.
"""

from .base import Engine, rating_amounts
from .judge import Judgment, judge, refuse_misfits
from .local import LocalEngine

__all__ = ["Engine", "Judgment", "LocalEngine", "judge", "rating_amounts", "refuse_misfits"]
