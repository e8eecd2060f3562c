"""Sensitive forms of k-anonymity: chapter 3 of the thesis.

:mod:`._tables` has its two tables and its three models; :mod:`._minimal_tables` finds the minimal generalizations of a
table, and which of their groups a similarity attack succeeds on.
"""
