"""Groups of points: microaggregation (MDAV, annealing, settling), bisection, and nearest groups of compressed rows.

Read :mod:`.mdav` with its :mod:`.deletable_kdtree` first, then :mod:`.settled_groups` and :mod:`.annealed_groups`,
which improve groups, then :mod:`.bisection` and :mod:`.nearest_groups`, which make the first ones, and
:mod:`.bounded_groups`, for dissimilarities other than squared distances.
"""
