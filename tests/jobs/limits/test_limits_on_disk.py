"""Limits of ratings on disk are those of ratings in memory, or are refused in the same words."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import InputError, WordingError

_lines = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyzs"), st.sampled_from("12345")),
    min_size=1,
    max_size=20,
    unique_by=lambda line: line[:2],
)
_complete = st.lists(st.text("12345", min_size=3, max_size=3), min_size=2, max_size=8).map(
    lambda rows: [
        (f"u{user}", item, mark) for user, row in enumerate(rows) for item, mark in zip("xys", row, strict=True)
    ]
)
_GIVEN = ({"k": 2}, {"k": 3}, {"epsilon": 1}, {"epsilon": 3}, {"l": 1}, {"k": 2, "l": 1}, {"epsilon": 2, "k": 2})
_SCHEMA = {"kind": "ratings", "layout": "long", "scale": [1, 5]}


def _written(folder: Path, lines: list[tuple[str, str, str]]) -> Path:
    file = folder / "films.csv"
    file.write_text("\n".join(["user,item,rating", *map(",".join, lines)]) + "\n", encoding="utf-8")
    return file


def _limits(file: Path, engine: str, asked: dict, schema: dict, **settings) -> dict | str:
    """Return what the limits are, or why there are none."""
    try:
        said = shoal.limits(file, asked, schema, engine=engine, **settings).to_json()  # type: ignore[arg-type]
    except InputError as error:
        return f"{type(error).__name__}: {error}"
    return {**said, "seconds": 0}


@settings(max_examples=40, deadline=None)
@given(
    lines=_lines | _complete,
    asked=st.sampled_from(_GIVEN),
    sensitive=st.booleans(),
    how=st.sampled_from([{}, {"all_null": "accept"}, {"spread": "pairwise"}]),
)
def test_limits_are_those_of_ratings_in_memory(tmp_path_factory, lines, asked, sensitive, how) -> None:
    file = _written(tmp_path_factory.mktemp("films"), lines)
    schema = {**_SCHEMA, "sensitive": ["s"] if sensitive else []}
    on_disk = _limits(file, "stream", asked, schema, memory="20KiB", **how)
    assert on_disk == _limits(file, "local", asked, schema, **how)


@settings(max_examples=20, deadline=None)
@given(lines=_lines, asked=st.sampled_from([{"m": 1}, {"m": 2}, {"k": 3}]))
def test_limits_of_sets_are_those_in_memory(tmp_path_factory, lines, asked) -> None:
    file = _written(tmp_path_factory.mktemp("bought"), lines)
    schema = {"kind": "sets", "layout": "long"}
    on_disk = _limits(file, "stream", asked, schema, memory="20KiB")
    in_memory = _limits(file, "local", asked, schema)
    assert on_disk == in_memory or ("more than 2 items" in on_disk and in_memory["m"] >= 2)  # type: ignore[index]


def test_what_needs_memory_is_refused_with_a_reason(tmp_path: Path) -> None:
    file = _written(tmp_path, [("a", "x", "1"), ("b", "x", "2")])
    with pytest.raises(WordingError, match="semantics=neighborhood"):
        shoal.limits(file, {"k": 2}, _SCHEMA, engine="stream", semantics="partition")
    with pytest.raises(WordingError, match="one a line"):
        shoal.limits(file, {"k": 2}, {**_SCHEMA, "layout": "wide"}, engine="stream")
