"""Microaggregation on all attributes (MA) and on a few key attributes (AMA): chapter 5 of the thesis.

:mod:`._census` has the table, what is varied, and how a point is measured.
"""
