"""Views by purpose and trust, beside methods that know neither: chapter 4 of the thesis.

Read ``_views`` first: the tables, and the methods that are compared.
"""
