"""Attackers who read the cells of published profiles that only one or a few people's ratings went into.

Read :mod:`.rare_columns` first: which items are rare, what is published of them, and which profiles stand out there.
Then ``rare-rater``, which looks for the person's profile, and ``rare-rating``, which infers the rating.
``single-rater`` is separate: it reads the cells behind which only one of a profile's people rated the item.
"""
