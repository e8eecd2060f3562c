"""Equivalence classes: counting them, what they cost, and moving rows between them.

Read :mod:`.counts`, :mod:`.sorted_groups` and :mod:`.segments` (classes of a table), :mod:`.group_costs` with
:mod:`.lacking_spread` (what a group of ratings costs and lacks) and :mod:`.partition` (what a class of a table costs)
first. The others change groups: :mod:`.regroup`, :mod:`.part_rows`, :mod:`.leader_groups` and :mod:`.follow_rows` those
of ratings, :mod:`.group_moves` with :mod:`.group_splits`, and :mod:`.lift_candidates`, those of tables, and
:mod:`.exchange` those of both together; :mod:`.box_groups` and :mod:`.spread_boxes` partition points into boxes.
"""
