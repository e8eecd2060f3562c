"""Trees of cuts and views of them, each kept under its SHA-256: releases name a view, and a view names its tree."""

import hashlib
import json
from typing import Any

from sqlalchemy import Connection, insert, select

from shoal.errors import FileError

from .rows import rows
from .tables import RELEASES, TREES

__all__ = ["faults_of_trees", "keep_document", "kept_document", "view_of"]


def keep_document(connection: Connection, written: str) -> str:
    """Keep a tree, or a view of one; return its name."""
    name = _sha256(written)
    if connection.execute(select(TREES.c.sha256).where(TREES.c.sha256 == name)).first() is None:
        connection.execute(insert(TREES).values(sha256=name, tree=written))
    return name


def kept_document(connection: Connection, name: str) -> str:
    """Return what is kept under a name."""
    found = connection.execute(select(TREES.c.tree).where(TREES.c.sha256 == name)).scalar()
    if found is None or _sha256(found) != name:
        raise FileError("A tree of cuts that the desk kept is gone or changed.", "See shoal desk audit.")
    return found


def view_of(node: str) -> str | None:
    """Return the name of the view of a tree that a release is; None where it is a node of a chain of levels."""
    said: Any = json.loads(node)
    return said["view"] if isinstance(said, dict) else None


def faults_of_trees(connection: Connection) -> list[str]:
    """Return a sentence for each release whose view or tree is gone or changed, and one if there are others."""
    kept = {row["sha256"]: row["tree"] for row in rows(connection, select(TREES))}
    whole = {name for name, written in kept.items() if _sha256(written) == name}
    needed, faults = set[str](), []
    for row in rows(connection, select(RELEASES.c.number, RELEASES.c.node).order_by(RELEASES.c.number)):
        names = _names(row["node"], kept)
        needed |= names
        if not names <= whole:
            faults.append(f"The view of release {row['number']}, or its tree, is gone or changed.")
    return [*faults, "There are trees or views that belong to no release."] if kept.keys() - needed else faults


def _names(node: str, kept: dict[str, str]) -> set[str]:
    """Return the names of a view and of its tree, as far as they can be told."""
    view = view_of(node)
    if view is None:
        return set()
    try:
        return {view, json.loads(kept[view])["tree"]}
    except (KeyError, ValueError, TypeError):
        return {view}


def _sha256(written: str) -> str:
    return hashlib.sha256(written.encode()).hexdigest()
