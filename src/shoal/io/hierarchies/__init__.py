"""Generalization hierarchies in files.

``file`` reads, writes and builds them; ``lines`` splits a file into fields, and ``faults`` finds all that is wrong.
"""

from .file import read_hierarchy, write_hierarchy

__all__ = ["read_hierarchy", "write_hierarchy"]
