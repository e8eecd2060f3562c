"""The method ``predictive`` on ratings that are not in memory: the same groups and profiles as in memory.

Read :mod:`.recode` first. :mod:`.two_sides` keeps ratings by user and by item, :mod:`.numbered_lines` brings back what
was computed for each, :mod:`.fitting` fits factors, and :mod:`.supporting` bounds the influence of ratings.
"""
