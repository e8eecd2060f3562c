"""The k of some promises, where one of them has it."""

from collections.abc import Iterable

from .base import PrivacyModel
from .k_anonymity import KAnonymity
from .k_epsilon import KEpsilon

__all__ = ["promised_k"]


def promised_k(models: Iterable[PrivacyModel]) -> int | None:
    """Return the k of the first (k,ε), or else of the first k-anonymity, or else of the first promise that has one."""
    promised = [*models]
    for kind in (KEpsilon, KAnonymity, PrivacyModel):
        for model in promised:
            k = getattr(model, "k", None) if isinstance(model, kind) else None
            if k is not None:
                return k
    return None
