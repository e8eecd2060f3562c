"""What we promise, one promise a file. A promise judges evidence; it knows no rows, engines or algorithms."""

from .b_l_diversity import BLDiversity
from .base import PrivacyModel, Verdict, promises
from .caveat import Caveat
from .k_anonymity import KAnonymity
from .k_epsilon import KEpsilon
from .l_diversity import LDiversity
from .p_alpha_sensitive import PAlphaSensitive
from .p_plus_alpha_sensitive import PPlusAlphaSensitive
from .p_plus_sensitive import PPlusSensitive
from .p_sensitive import PSensitive
from .t_closeness import TCloseness

__all__ = [
    "BLDiversity",
    "Caveat",
    "KAnonymity",
    "KEpsilon",
    "LDiversity",
    "PAlphaSensitive",
    "PPlusAlphaSensitive",
    "PPlusSensitive",
    "PSensitive",
    "PrivacyModel",
    "TCloseness",
    "Verdict",
    "promises",
]
