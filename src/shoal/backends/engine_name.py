"""The names under which users ask where records are to be."""

from typing import Literal

__all__ = ["EngineName"]

EngineName = Literal["auto", "local", "stream", "spark"]
"""``local``: in memory; ``stream``: on the disk of this machine; ``spark``: on a cluster; ``auto``: on disk if they do
not fit into memory."""
