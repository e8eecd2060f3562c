"""Example data: the tables of the papers (``papers``), a few purchases (``example_purchases``), and synthetic data of
any size (``generators``).
"""

from .example_purchases import example_purchases
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
    "example_purchases",
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
