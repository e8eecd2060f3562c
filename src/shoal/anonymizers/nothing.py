"""The method ``none``: publish the original records, if the promises hold already.

*Guarantee.* None of its own. The road out checks the promises on the unchanged records and refuses if one fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.data import Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .allowance import Allowance
from .base import Anonymizer, Recoding, methods

__all__ = ["Nothing"]


@methods.add
@dataclass(frozen=True)
class Nothing(Anonymizer):
    """Leaves every value unchanged."""

    name: ClassVar[str] = "none"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey", "table"})
    heeds_rows: ClassVar[bool] = False

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        return Recoding(records)
