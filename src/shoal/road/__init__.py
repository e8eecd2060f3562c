"""The one road out: nothing leaves except through :func:`publish`, and what leaves is judged as it leaves.

:mod:`.pipeline` is the road, step by step; :mod:`.withholding` says which rows may be published, and :mod:`.acceptance`
what an owner may accept against an objection.
"""

from .acceptance import EMPTY, VACUOUS
from .pipeline import publish

__all__ = ["EMPTY", "VACUOUS", "publish"]
