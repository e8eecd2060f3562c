"""Methods that recode locally, on tables that are not in memory: a value may get another label in every group.

:mod:`.mondrian` is read first: the first cuts are made of counts (:mod:`.top_cuts`, with :mod:`.segment_counts` and
:mod:`.cut_tree`), the others by workers, each of which has all records of a segment (:mod:`.segments_of_workers`).
:mod:`.range_labels` labels the groups. :mod:`.microaggregation` takes segments as blocks, with :mod:`.centroid_labels`.
:mod:`.top_down` takes first steps (:mod:`.top_steps`, with :mod:`.steps`), of records (:mod:`.steps_of_records`, with
:mod:`.lifted_records`) or of people (:mod:`.steps_of_people`). :mod:`.promises_by_counts` and :mod:`.people_of_parts`
judge what is not here. :mod:`.used_labels` counts how labels are used.
"""
