"""Partitions on the disk of this machine, which take little memory however many rows there are.

:mod:`.spill` is read first: rows written to a private folder and read back. :mod:`.streamed` runs functions on them,
several at a time; :mod:`.backend` begins and ends it all.
"""

from .backend import StreamBackend

__all__ = ["StreamBackend"]
