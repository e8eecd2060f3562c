"""Nested views by local recoding: every view of a version of the data is a cutting of one tree.

Read ``cut_tree`` first (what is kept), then ``grow`` (how a tree is made from data), ``follow`` (the same cuts for
other data) and ``trees_of_versions`` (which of them), ``cut_views`` (which view follows from a degree of anonymization,
and what it publishes), ``cut_recoding`` (how it is made) and ``held`` (what several views are together).
"""
