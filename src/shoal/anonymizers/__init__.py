"""How a promise is kept, one algorithm a file. An anonymizer may be wrong: the road out checks what it made."""

from .base import Anonymizer, Recoding, methods
from .mondrian import Mondrian
from .nothing import Nothing

__all__ = ["Anonymizer", "Mondrian", "Nothing", "Recoding", "methods"]
