"""Nested views by local recoding: every view of a version of the data is a cutting of one tree.

Read ``group_tree`` first (what is kept), ``nested_views`` (which view follows from a degree of anonymization) and
``held`` (what several views are together). For tables read on in ``cut_tree``, ``grow`` (how a tree is made from data),
``follow`` (the same cuts for other data), ``cut_views`` (what a view publishes) and ``cut_recoding`` (how it is made);
for ratings in ``rating_tree``, ``follow_people``, ``rating_views``, ``group_profiles`` and ``profile_recoding``.
``trees_of_versions`` says which tree a version of the data has.
"""
