"""A first look at data: what each column holds, whom it may name, and how sets of columns tell people apart.

Read :mod:`.column_values` first, a column and how often each value occurs, then :mod:`.column_profile`, the figures
of one column. :mod:`.identifier_kind` says how something that names people is recognized, :mod:`.identifier_kinds`
lists what does, with the check digits of :mod:`.check_digits`, and :mod:`.screening` looks for it;
:mod:`.suggested_roles` concludes which role a column may have, and why. :mod:`.column_dependencies` finds columns
that determine one another, :mod:`.separation` measures how sets of columns tell records apart, and
:mod:`.minimal_keys` finds those that tell all of them apart. :mod:`.table_profile` gathers everything about a table,
:mod:`.ratings_profile` about ratings, :mod:`.answers_profile` about each question of a survey.
"""

from .answers_profile import AnswersProfile, answers_profile
from .column_profile import ColumnProfile, Histogram, Quantiles, column_profile
from .column_values import ColumnValues
from .ratings_profile import RatingsProfile, Spread, ratings_profile
from .screening import Screened, screened
from .suggested_roles import SuggestedRole
from .table_profile import TableProfile, table_profile

__all__ = [
    "AnswersProfile",
    "ColumnProfile",
    "ColumnValues",
    "Histogram",
    "Quantiles",
    "RatingsProfile",
    "Screened",
    "Spread",
    "SuggestedRole",
    "TableProfile",
    "answers_profile",
    "column_profile",
    "ratings_profile",
    "screened",
    "table_profile",
]
