"""Example data: the tables of the papers (``papers``), and synthetic data of any size (``generators``)."""

from .generators import (
    KINDS,
    generate_baskets,
    generate_customers,
    generate_demographics,
    generate_ratings,
    generate_sample,
    generate_survey,
    generate_table,
    write_generated,
)
from .papers import TABLES, load

__all__ = [
    "KINDS",
    "TABLES",
    "generate_baskets",
    "generate_customers",
    "generate_demographics",
    "generate_ratings",
    "generate_sample",
    "generate_survey",
    "generate_table",
    "load",
    "write_generated",
]
