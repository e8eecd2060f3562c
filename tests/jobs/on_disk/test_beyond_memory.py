"""What is done in memory says so of a table that does not fit there."""

from pathlib import Path

import pytest

import shoal
from people_on_disk import K20, people
from shoal import peak_memory
from shoal.errors import DataError
from shoal.peak_memory import memory_there_is


def test_a_table_that_cannot_fit_is_refused_before_it_is_read(tmp_path: Path, monkeypatch) -> None:
    file, schema = people(tmp_path)
    out, ledger = tmp_path / "out", tmp_path / "ledger"
    shoal.publish(file, schema, K20, out=out, ledger=ledger, engine="stream")
    monkeypatch.setattr("shoal.io.tables.table.memory_there_is", lambda: 10_000)
    for refused in (
        lambda: shoal.measure(out, ledger),
        lambda: shoal.attack(out, ledger=ledger),
        lambda: shoal.report(out, ledger, tmp_path / "report.html"),
        lambda: shoal.describe(out),
        lambda: shoal.check(file, K20, schema, engine="local"),
        lambda: shoal.verify(out, engine="local"),
    ):
        with pytest.raises(DataError, match="in memory"):
            refused()
    assert not (tmp_path / "report.html").exists()
    assert shoal.verify(out, engine="stream").holds
    monkeypatch.undo()
    assert shoal.measure(out, ledger).measures


@pytest.mark.parametrize(("limit", "is_less"), [("1000000", True), ("max", False), ("", False), ("9" * 30, False)])
def test_the_memory_of_a_container_is_what_it_is_allowed(tmp_path: Path, monkeypatch, limit, is_less) -> None:
    machine = memory_there_is()
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    monkeypatch.setattr(peak_memory, "_LIMIT", tmp_path / "memory.max")
    assert memory_there_is() == (1_000_000 if is_less else max(machine, memory_there_is()))
    monkeypatch.setattr(peak_memory, "_LIMIT", tmp_path / "none")
    assert memory_there_is() >= machine
