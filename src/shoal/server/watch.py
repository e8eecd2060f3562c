"""What else the log keeps, besides changes: what was downloaded, what somebody tried who may not, and failed logins.

Whoever is refused could fill the log by trying again and again. So only some of it is written down: of each user so
much a minute, and of all strangers together no more than of one user.
"""

from contextlib import suppress

from shoal.desk.actor import acting_as
from shoal.errors import ShoalError

from .access.rates import Rates
from .store import Books, Identity

__all__ = ["Watch"]

_PER_MINUTE = 10


class Watch:
    """Writes into the log of the desk what is no change."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._rates = Rates(_PER_MINUTE / 60, _PER_MINUTE)

    def note_download(self, who: Identity, **what: object) -> None:
        """Write down that somebody is given a file; without the entry it is not given."""
        with who.acting(), self._books.transaction() as connection:
            self._books.note(connection, "downloaded", **what)

    def note_not_allowed(self, who: Identity, operation: str) -> None:
        """Write down that somebody tried what its role may not do, unless that was written often just now."""
        if not self._rates.take(who.actor):
            with who.acting():
                self._note_if_possible("not allowed", operation=operation)

    def note_stranger(self, address: str) -> None:
        """Write down that a token was wrong, unless strangers were written down often just now."""
        if not self._rates.take("strangers"):
            with acting_as("a stranger"):
                self._note_if_possible("login failed", address=address)

    def _note_if_possible(self, event: str, **details: object) -> None:
        # a refusal stays one, also while the books are away
        with suppress(ShoalError), self._books.transaction() as connection:
            self._books.note(connection, event, **details)
