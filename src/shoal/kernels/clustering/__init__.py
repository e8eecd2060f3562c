"""Groups of points: microaggregation (MDAV, annealing, settling), bisection, nearest groups, and greedy clustering.

Read :mod:`.mdav` with its :mod:`.deletable_kdtree` first, then :mod:`.settled_groups` and :mod:`.annealed_groups`,
which improve groups, then :mod:`.bisection` and :mod:`.nearest_groups`, which make the first ones, and
:mod:`.bounded_groups`, for dissimilarities other than squared distances. Greedy
clustering is in :mod:`.cluster_costs` and :mod:`.greedy_clusters`.
"""
