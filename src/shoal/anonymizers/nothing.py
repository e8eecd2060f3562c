"""The method ``none``: publish the records as they are, if the promises hold already.

*Guarantee.* None of its own. The road out checks the promises on the unchanged records and refuses if one fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.data import Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .base import Anonymizer, Recoding, methods

__all__ = ["Nothing"]


@methods.add
@dataclass(frozen=True)
class Nothing(Anonymizer):
    """Leave every value as it is."""

    name: ClassVar[str] = "none"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "table"})
    heeds_rows: ClassVar[bool] = False

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,  # noqa: ARG002
        spare: int,  # noqa: ARG002
    ) -> Recoding:
        return Recoding(records)
