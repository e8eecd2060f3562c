"""Measures of COUNT queries: how wrong the answers are that an analyst gets from the release.

Read :mod:`.attributes` first (what can be queried, before and after), then :mod:`.query_error` (the random queries and
their errors). How many queries there are and what they ask for is a setting of the comparison
(:mod:`shoal.utility.query_settings`).
"""
