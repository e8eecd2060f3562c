"""Jobs on tables and ratings whose records stay where they are.

:mod:`.obstacles` is read first: what can be done in memory alone. :mod:`.publish_table` publishes a table, and
:mod:`.verify_table` verifies a release, the one that was just written before it gets its name included.
:mod:`.publish_ratings` and :mod:`.verify_ratings` do the same for ratings.
"""
