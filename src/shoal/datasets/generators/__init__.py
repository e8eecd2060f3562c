"""Synthetic ratings, baskets, surveys, tables and samples of any size, reproducible from a seed.

Each ``…_model`` says which distributions its data follow; ``generate`` returns them as records and ``write_generated``
writes them to a file block by block. ``scales`` holds what the models of ratings have in common.
"""

from .generate import (
    generate_baskets,
    generate_customers,
    generate_demographics,
    generate_ratings,
    generate_sample,
    generate_survey,
    generate_table,
)
from .write_generated import KINDS, write_generated

__all__ = [
    "KINDS",
    "generate_baskets",
    "generate_customers",
    "generate_demographics",
    "generate_ratings",
    "generate_sample",
    "generate_survey",
    "generate_table",
    "write_generated",
]
