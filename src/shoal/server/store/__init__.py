"""What the service remembers, in the database of the desk.

``tables`` says what is kept, and ``books`` opens them; ``users``, ``datasets``, ``jobs``, ``releases`` and
``desk_sources`` read and write a part each. Every change
that a person makes is in the log of the desk, with who made it.
"""

from .books import Books
from .datasets import DatasetRow, Datasets
from .desk_sources import DeskSources
from .jobs import FINISHED, JobRow, Jobs, JobState
from .releases import ReleaseRow, Releases
from .users import Identity, Role, TokenRow, UserRow, Users

__all__ = [
    "FINISHED",
    "Books",
    "DatasetRow",
    "Datasets",
    "DeskSources",
    "Identity",
    "JobRow",
    "JobState",
    "Jobs",
    "ReleaseRow",
    "Releases",
    "Role",
    "TokenRow",
    "UserRow",
    "Users",
]
