"""Measures of equivalence classes: how large they are, and how many pairs of records cannot be distinguished.

All of them stand in :mod:`.discernability`.
"""
