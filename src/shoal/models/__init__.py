"""What we promise, one promise a file. A promise judges evidence; it knows no rows, engines or algorithms."""

from .b_l_diversity import BLDiversity
from .base import PrivacyModel, Verdict, promises
from .k_anonymity import KAnonymity
from .k_epsilon import KEpsilon
from .l_diversity import LDiversity

__all__ = ["BLDiversity", "KAnonymity", "KEpsilon", "LDiversity", "PrivacyModel", "Verdict", "promises"]
