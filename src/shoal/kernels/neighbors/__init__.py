"""Records within a radius of each other: counted, summed up, and the nearest of them found.

Read :mod:`.pairwise` first, which compares all pairs; :mod:`.bitmaps` counts the same by sets of bits. Then
:mod:`.rows_within` and :mod:`.nearest_records`, which are about other records, and :mod:`.fewest_differences`.
"""
