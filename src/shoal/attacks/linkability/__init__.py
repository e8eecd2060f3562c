"""The attack ``linkability``: two sets of attributes of one person, from two sources, are linked through the release.

Read :mod:`.linkability` first: which columns are known from which source, and what counts as success. The search stands
in :mod:`.nearest_records`, and the distance between a value and a published label in :mod:`.label_distances`.
"""
