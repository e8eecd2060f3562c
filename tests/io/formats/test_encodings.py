"""Text is read in its encoding: declared, marked, or guessed and told; other bytes are refused by the line."""

import tracemalloc
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from shoal.assumed import assumptions
from shoal.data import Microdata
from shoal.errors import FileError, SchemaError, WordingError
from shoal.io import TableSchema, read
from shoal.io.formats import Location
from shoal.io.formats import contents as contents_module
from shoal.io.formats.contents import Contents
from shoal.io.formats.data_files import open_data
from shoal.io.formats.encodings import NotUtf8Error, utf8_blocks

TEXT = 'Straße;Größe\n"Ärger; viel\nmehr";1\nØre;2\n"„so“";3\n'
ROWS = [["Ärger; viel\nmehr", 1], ["Øre", 2], ["„so“", 3]]


def schema(**settings: object) -> TableSchema:
    return TableSchema(columns={name: {"role": "drop"} for name in ("Straße", "Größe")}, **settings)  # type: ignore[arg-type]


def rows(path: Path | Location, **settings: object) -> list[list[object]]:
    table = read(path, schema(**settings)).records
    assert isinstance(table, Microdata)
    return [list(row) for row in zip(*(column.values.to_list() for column in table.columns), strict=True)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_a_declared_encoding_is_followed(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode(encoding))
    with assumptions() as told:
        assert rows(path, encoding=encoding) == ROWS
        assert rows(Location(str(path), encoding=encoding)) == ROWS
    assert told == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_at_the_beginning_say_the_encoding(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TEXT.encode(encoding))
    with assumptions() as told:
        assert rows(tmp_path / "t.csv") == ROWS
    assert told == []


def test_western_text_is_guessed_and_told_with_the_line_that_declares_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode("cp1252"))
    with assumptions() as told:
        assert rows(path) == ROWS
    assert len(told) == 1
    assert 'encoding = "cp1252"' in told[0]
    source = read(path, schema())
    assert told[0] in source.notes
    assert source.schema.encoding == "cp1252"
    with assumptions() as told:
        read(path, source.schema)
    assert told == []


@pytest.mark.parametrize(
    "words",
    [
        "München Köln Straße Größe",
        "Genève Orléans",
        "Besançon où forêt naïve Évry",
        "Málaga Logroño Ávila",
        "São Conceição Goiânia",
        "Århus København Sjælland",
        "Jyväskylä Töölö Åbo",
        "it’s “so” – 20 € …",
        "München Genève Málaga São København Düsseldorf Orléans",
    ],
)
def test_words_of_western_languages_are_read_as_they_are(words: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(("a;b\n" + "".join(f"{word};1\n" for word in words.split())).encode("cp1252"))
    assert open_data(tmp_path / "t.csv").frame("a")["a"].to_list() == words.split()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("Straße;Größe\nжук;1\n".encode("cp1251", "replace"), id="Cyrillic"),
        pytest.param("Straße;Größe\nzażółć gęślą jaźń;1\n".encode("cp1250"), id="Polish"),
        pytest.param("a;b\nErdős;Győr\nSzűcs;Pécs\nGödöllő;Kőszeg\n".encode("cp1250"), id="Hungarian"),
        pytest.param("a;b\nKovačič;Škofja\nZupančič;Žalec\n".encode("cp1250"), id="Slovene"),
        pytest.param("a;b\nMäkelä;Järvenpää\nHämeenlinna;Töölö\n".encode("mac_roman"), id="Finnish of a Macintosh"),
        pytest.param("a;b\nMäkelä;Järvenpää\nHämeenlinna;Töölö\n".encode("cp850"), id="Finnish of DOS"),
        pytest.param("a;b\n日本語テキスト;1\n".encode("shift_jis"), id="Japanese"),
        pytest.param(b"a;b\nx\x81;1\n", id="no letter"),
        pytest.param("a;b\né;1\n".encode() + b"\xe9;2\n", id="damaged UTF-8"),
        pytest.param("a;b\nx;é".encode()[:-1], id="UTF-8 that was cut off"),
        pytest.param(b"a;b\n\xe4\x01;1\n", id="control character"),
    ],
)
def test_other_bytes_are_refused_by_the_line_with_encodings_to_choose_from(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(FileError, match=r"t\.csv is not UTF-8 text: see line [123]\. .* encoding = "):
        read(tmp_path / "t.csv", schema())


def test_a_declared_encoding_that_does_not_fit_is_refused_by_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a;b\nx\x81;1\n")
    with pytest.raises(FileError, match="not text in the encoding cp1252"):
        read(tmp_path / "t.csv", schema(encoding="cp1252"))
    (tmp_path / "t.csv").write_bytes(TEXT.encode("utf-16")[:-1])
    with pytest.raises(FileError, match="not text in the encoding utf-16"):
        read(tmp_path / "t.csv", schema())


@pytest.mark.parametrize("name", ["klingon", "base64", "rot13", "punycode", ""])
def test_names_of_no_encoding_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="name of an encoding"):
        schema(encoding=name)
    (tmp_path / "t.csv").write_text(TEXT)
    if name:
        with pytest.raises(WordingError, match="no encoding of this name"):
            read(Location(str(tmp_path / "t.csv"), encoding=name), schema())


FIELDS = st.text(st.sampled_from('aä;"\n0€'), max_size=6).map(lambda text: '"' + text.replace('"', '""') + '"')


@given(
    lines=st.lists(st.tuples(FIELDS, FIELDS), min_size=1, max_size=8), size=st.integers(1, 7), skip=st.integers(0, 2)
)
def test_blocks_of_any_size_give_the_same_records(
    lines: list[tuple[str, str]], size: int, skip: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("blocks")
    text = "#\n" * skip + "Straße;Größe\n" + "".join(f"{one};{other}\n" for one, other in lines)
    (folder / "t8.csv").write_bytes(text.encode())
    (folder / "t16.csv").write_bytes(text.encode("utf-16"))
    settings: dict[str, object] = {"skip_lines": skip, "delimiter": ";"}
    expected = rows(folder / "t8.csv", **settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents_module, "_BLOCK", size)
        assert rows(folder / "t16.csv", **settings) == expected


def test_text_is_decoded_block_by_block_and_not_held_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(("Straße;Größe\n" + "é;1\n" * 2_000_000).encode("cp1252"))
    monkeypatch.setattr(contents_module, "_BLOCK", 1 << 16)
    file = open_data(path, schema(encoding="cp1252"))
    tracemalloc.start()
    read_rows = sum(batch.height for batch in file.batches("Größe"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read_rows == file.rows == 2_000_000
    assert peak < path.stat().st_size // 2, "Python would hold more if it held the text"


@pytest.mark.parametrize("place", range(0, 60, 3))
def test_a_fault_in_any_block_is_found_by_its_line(monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    monkeypatch.setattr("shoal.io.formats.contents._BLOCK", 7)
    data = bytearray("ab,é\ncd,ef\n".encode() * 6)
    data[place:place] = b"\xff"
    with pytest.raises(UnicodeDecodeError) as expected:
        data.decode()
    line = 1 + data[: expected.value.start].count(b"\n")
    with pytest.raises(NotUtf8Error, match=rf"see line {line}\."):
        list(utf8_blocks(Contents("t.csv", None, bytes(data))))
