"""Ratings that are not in memory: read, and judged profile by profile wherever a backend keeps them.

:mod:`.profiles` is read first: all ratings of a user as one row of numbers. :mod:`.coded_rows` makes numbers of a file
(:mod:`.value_counts`), :mod:`.user_keys` hashes profiles and counts the hashes, :mod:`.ratings` is what is known of all
users, and :mod:`.read_ratings` reads them. :mod:`.shared_profiles` brings together who rated alike, :mod:`.judge`
judges promises, with :mod:`.pattern_blocks` where very many rated the same items, and :mod:`.item_sets` those on items
alone. :mod:`.verdict_texts` is how verdicts come back. For methods, :mod:`.side_rows` has ratings in compressed rows,
and :mod:`.ratings_by_user` numbers users.
"""

from .judge import judge_partitioned_ratings, why_in_memory
from .profiles import NAME, PROFILE, USER, ProfileLayout
from .ratings import PartitionedRatings, partitioned_ratings
from .read_ratings import read_partitioned_ratings

__all__ = [
    "NAME",
    "PROFILE",
    "USER",
    "PartitionedRatings",
    "ProfileLayout",
    "judge_partitioned_ratings",
    "partitioned_ratings",
    "read_partitioned_ratings",
    "why_in_memory",
]
