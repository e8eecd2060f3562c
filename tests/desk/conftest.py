"""Desks to try: an SQLite file, and PostgreSQL."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where an empty desk may be made."""
    return str(tmp_path / "desk.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres")
