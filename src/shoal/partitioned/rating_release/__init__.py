"""Ratings that are not in memory, published in parts.

Read :mod:`.publish_ratings` first, the road out. :mod:`.made_profiles` brings the users of a published record together
and makes it, :mod:`.write_ratings` writes records in parts, :mod:`.record_groups` finds equal ones,
:mod:`.size_verdicts` judges promises on them, and :mod:`.report` adds up what a release costs. :mod:`.released_ratings`
is a release that is read back, and :mod:`.claimed_people` what it is compared by with a ledger.
"""
