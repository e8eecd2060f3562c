"""A ledger in parts: rows in the order of the file, each part stated, and any damage to one of them noticed."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

import shoal
from people_on_disk import K20, people
from shoal.errors import FileError, InternalError
from shoal.io.folders.ledger import read_ledger
from shoal.io.formats import tabular_file
from shoal.partitioned import original_parts


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A release and its ledger, both of several parts."""
    monkeypatch.setattr(tabular_file, "_BATCH", 37)
    file, schema = people(tmp_path)
    asked: dict = {"method": "lattice", "engine": "stream", "memory": "50KiB"}
    shoal.publish(file, schema, K20, out=tmp_path / "out", ledger=tmp_path / "ledger", **asked)
    return tmp_path / "out", tmp_path / "ledger"


def test_originals_are_in_the_order_of_the_file(pair: tuple[Path, Path]) -> None:
    _, ledger = pair
    parts = sorted((ledger / "original").iterdir())
    assert [each.name for each in parts] == [f"part-{number:05d}.parquet" for number in range(11)]
    original = pl.read_csv(ledger.parent / "people.csv")
    assert pl.concat([pl.read_parquet(part) for part in parts]).select(original.columns).equals(original)
    links = pl.read_parquet(ledger / "links")
    released = pl.read_parquet(pair[0] / "data").join(links, left_on="record", right_on="pseudonym")
    assert released.height == 400
    assert original["disease"].gather(released["row"]).equals(released["disease"])
    assert not [*ledger.rglob(".*")]


def test_every_part_is_stated_with_its_rows_and_hash(pair: tuple[Path, Path]) -> None:
    _, ledger = pair
    stated = json.loads((ledger / "parts.json").read_text())
    assert list(stated) == ["original", "links"]
    for name, parts in stated.items():
        assert len(parts) > 1
        assert [part["file"] for part in parts] == sorted(each.name for each in (ledger / name).iterdir())
        for part in parts:
            file = ledger / name / part["file"]
            assert (pl.read_parquet(file).height, sha256(file.read_bytes()).hexdigest()) == (
                part["rows"],
                part["sha256"],
            )


def _remove(folder: Path) -> None:
    (folder / "part-00001.parquet").unlink()


def _add(folder: Path) -> None:
    shutil.copy(folder / "part-00000.parquet", folder / "part-00099.parquet")


def _add_other(folder: Path) -> None:
    (folder / "_SUCCESS").touch()


def _change(folder: Path) -> None:
    file = folder / "part-00000.parquet"
    pl.read_parquet(file).reverse().write_parquet(file)


def _swap(folder: Path) -> None:
    first, second = folder / "part-00000.parquet", folder / "part-00001.parquet"
    first.rename(folder / "other")
    second.rename(first)
    (folder / "other").rename(second)


def _cut(folder: Path) -> None:
    file = folder / "part-00001.parquet"
    file.write_bytes(file.read_bytes()[:-5])


def _lose(folder: Path) -> None:
    shutil.rmtree(folder)


@pytest.mark.parametrize("folder", ["original", "links"])
@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (_remove, "it has no file {}/part-00001.parquet"),
        (_add, "its folder {} holds 1 file that parts.json does not state"),
        (_add_other, "its folder {} holds 1 file that parts.json does not state"),
        (_change, "its file {}/part-00000.parquet was altered"),
        (_swap, "its file {}/part-00000.parquet was altered"),
        (_cut, "its file {}/part-00001.parquet was altered"),
        (_lose, "it has no folder {}"),
    ],
)
def test_a_part_that_is_missing_added_or_changed_is_refused(
    pair: tuple[Path, Path], folder: str, harm: Callable[[Path], None], told: str
) -> None:
    release, ledger = pair
    assert shoal.verify(release, ledger).holds
    harm(ledger / folder)
    for engine in ("local", "stream"):
        with pytest.raises(FileError) as raised:
            shoal.verify(release, ledger, engine=engine)
        assert told.format(folder) in raised.value.message
        assert "backup" in raised.value.cure
    with pytest.raises(FileError, match="damaged"):
        shoal.measure(release, ledger)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"original": [], "links": 1}', '{"original": []}', '{"original": [{}], "links": []}']
)
def test_statements_that_are_none_are_damage(pair: tuple[Path, Path], text: str) -> None:
    (pair[1] / "parts.json").write_text(text)
    with pytest.raises(FileError, match=r"parts\.json does not state its parts"):
        read_ledger(pair[1])


def test_another_number_of_rows_than_is_stated_is_damage(pair: tuple[Path, Path]) -> None:
    stated = json.loads((pair[1] / "parts.json").read_text())
    stated["links"][0]["rows"] += 1
    (pair[1] / "parts.json").write_text(json.dumps(stated))
    with pytest.raises(FileError, match="not as many rows"):
        read_ledger(pair[1])


def test_a_ledger_that_does_not_state_its_parts_is_refused(pair: tuple[Path, Path]) -> None:
    release, ledger = pair
    (ledger / "parts.json").unlink()
    for engine in ("local", "stream"):
        with pytest.raises(FileError, match="does not state its parts"):
            shoal.verify(release, ledger, engine=engine)


def test_the_parts_of_ratings_are_stated_too(tmp_path: Path) -> None:
    lines = [(user, item, 1 + (item + user // 3) % 5) for user in range(60) for item in range(6)]
    pl.DataFrame(lines, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "ratings.csv")
    out, ledger = tmp_path / "out", tmp_path / "ledger"
    asked: dict = {"models": "k-anonymity:k=3", "method": "none", "engine": "stream", "memory": "20KiB"}
    shoal.publish(tmp_path / "ratings.csv", out=out, ledger=ledger, **asked)
    stated = json.loads((ledger / "parts.json").read_text())
    assert sum(part["rows"] for part in stated["original"]) == 360
    assert sum(part["rows"] for part in stated["links"]) == 60
    assert len(stated["links"]) > 1
    assert shoal.verify(out, ledger, engine="stream").holds
    _swap(ledger / "original")
    with pytest.raises(FileError, match="altered"):
        shoal.verify(out, ledger, engine="stream")


def test_originals_that_are_not_all_there_are_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabular_file, "_BATCH", 37)
    writing = original_parts._Write.__call__

    def lost(self: original_parts._Write, batch: pl.DataFrame) -> pl.DataFrame:
        return writing(self, batch).with_columns(pl.col("first") + (pl.col("first") == 37).cast(pl.Int64))

    monkeypatch.setattr(original_parts._Write, "__call__", lost)
    file, schema = people(tmp_path)
    with pytest.raises(InternalError, match="lost"):
        shoal.publish(file, schema, K20, out=tmp_path / "out", ledger=tmp_path / "ledger", engine="stream")
    assert not (tmp_path / "out").exists()
