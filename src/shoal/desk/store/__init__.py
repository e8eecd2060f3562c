"""Where the desk keeps its books, in SQLite or PostgreSQL.

Read ``tables`` first (what is kept), then ``log`` (how each change is recorded), ``rows``, and ``store`` (transactions,
one at a time). ``secret`` is the key under which people are hashed, and ``guards`` finds out whether the database still
protects the log.
"""

from .store import Store

__all__ = ["Store"]
