"""The data sets of the papers, or the nearest that can be had.

:func:`load` returns one by name, whole or a sample of it, and :func:`missing` says which cannot be read here. Real data
lie in the folder that the environment variable ``SHOAL_DATA`` names, or in ``shared/data`` beside the project; nothing
of them is part of the project. Of the size ``tiny`` everything is generated, so that tests run anywhere.
:mod:`.ratings` has MovieLens, ratings of the shape of Netflix and a survey, :mod:`.tables` Adult and Census-Income.
"""

from .data_set import DataSet, load, missing
from .ratings import BIG_FIVE, MOVIELENS, MOVIELENS_1M, NETFLIX
from .tables import ADULT, CENSUS

__all__ = [
    "ADULT",
    "BIG_FIVE",
    "CENSUS",
    "DATA_SETS",
    "MOVIELENS",
    "MOVIELENS_1M",
    "NETFLIX",
    "DataSet",
    "load",
    "missing",
]

DATA_SETS = {data.name: data for data in (MOVIELENS, MOVIELENS_1M, NETFLIX, BIG_FIVE, ADULT, CENSUS)}
"""Every data set by its name."""
