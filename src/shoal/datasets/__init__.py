"""Data to try it on: the small tables of the papers, and synthetic data of any size from a seed."""

from .generate import generate_ratings, generate_survey, generate_table
from .load import TABLES, load
from .write_generated import KINDS, write_generated

__all__ = ["KINDS", "TABLES", "generate_ratings", "generate_survey", "generate_table", "load", "write_generated"]
