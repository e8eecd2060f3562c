"""What we promise, one promise a file. A promise judges evidence; it knows no rows, engines or algorithms."""

from typing import TYPE_CHECKING

from shoal.on_demand import on_demand

from .base import Caveat, PrivacyModel, Verdict, leading_promise, promised_k, promises
from .shortfall import Shortfall

if TYPE_CHECKING:
    from .b_l_diversity import BLDiversity
    from .k_anonymity import KAnonymity
    from .k_epsilon import KEpsilon
    from .km_anonymity import KmAnonymity
    from .l_diversity import LDiversity
    from .sensitive_k_anonymity import PAlphaSensitive, PPlusAlphaSensitive, PPlusSensitive, PSensitive
    from .t_closeness import TCloseness

__all__ = [
    "BLDiversity",
    "Caveat",
    "KAnonymity",
    "KEpsilon",
    "KmAnonymity",
    "LDiversity",
    "PAlphaSensitive",
    "PPlusAlphaSensitive",
    "PPlusSensitive",
    "PSensitive",
    "PrivacyModel",
    "Shortfall",
    "TCloseness",
    "Verdict",
    "leading_promise",
    "promised_k",
    "promises",
]

# a command loads the promises that it judges
__getattr__, __dir__ = on_demand(__name__, promises.class_named)
