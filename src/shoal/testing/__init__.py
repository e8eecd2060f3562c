"""For our tests and our users': small records of every shape, and the laws each class of a family must keep.

Needs hypothesis, which Shoal itself does not: ``pip install hypothesis``.

>>> from shoal.testing import check_model
>>> check_model(MyPromise(k=3))  # doctest: +SKIP
"""

from .check_anonymizer import check_anonymizer
from .check_attack import check_attack
from .check_backend import check_backend
from .check_engine import check_engine
from .check_measure import check_measure
from .check_model import check_model
from .check_predictor import check_predictor
from .check_reader import check_reader
from .check_wording import check_wording
from .strategies import ratings, records, surveys, tables

__all__ = [
    "check_anonymizer",
    "check_attack",
    "check_backend",
    "check_engine",
    "check_measure",
    "check_model",
    "check_predictor",
    "check_reader",
    "check_wording",
    "ratings",
    "records",
    "surveys",
    "tables",
]
