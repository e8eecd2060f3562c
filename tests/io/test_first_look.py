"""Columns of a file without a schema are what reading their fields one by one makes of them."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from shoal.io import open_unexplained, typed_columns
from shoal.io.formats import delimited_text

WHOLE = r"-?(0|[1-9][0-9]{0,17})"
NUMBER = WHOLE + r"(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?"
NOT_FINITE = r"(?i)[+-]?(nan|inf|infinity)"
POOLS = (
    ["1", " 1", "-2", "30", "007"],
    ["1.0", "1", "1e0", "-0.0", "0", "2.50", " 7 "],
    ["3", "3.5", "NaN", "inf", "-4"],
    ["a", " a", "a ", "b", "NA", "12"],
    ["2020-01-31", "2021-02-28", " 2020-01-31"],
    ["2020-01-31", "2020-02-30", "x"],
)


def typed(fields: list[str]) -> tuple[str, int, list]:
    """Return the type of these fields, how many are not finite, and their values, missing ones as None."""
    texts = [field.strip() or None for field in fields]
    words = {text for text in texts if text is not None}
    odd = {word for word in words if not re.fullmatch(NUMBER, word)}
    if words and len(odd) < len(words) and all(re.fullmatch(NOT_FINITE, word) for word in odd):
        values = [None if text is None or text in odd else float(text) for text in texts]
        return "number", sum(text in odd for text in texts), values
    if words and all(re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])", word) for word in words - {"2020-02-30"}):
        return ("text" if "2020-02-30" in words else "date"), 0, texts
    return "text", 0, texts


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data(), st.sampled_from([1, 4]))
def test_columns_are_what_their_fields_are(tmp_path: Path, data: st.DataObject, times: int) -> None:
    pool = data.draw(st.sampled_from(POOLS))
    fields = data.draw(st.lists(st.sampled_from([*pool, ""]), min_size=1, max_size=12)) * times
    path = tmp_path / "t.csv"
    path.write_text("key,x\n" + "".join(f"k{i},{field}\n" for i, field in enumerate(fields)))
    found = typed_columns(open_unexplained(path))
    column = found.columns[1]
    kind, not_finite, values = typed(fields)
    assert (column.type, dict(found.not_finite).get("x", 0)) == (kind, not_finite)
    counts = Counter(value for value in values if value is not None)
    given_values = [value if kind != "date" else value.isoformat() for value in column.counted.values.to_list()]
    assert dict(zip(given_values, column.counted.counts.tolist(), strict=True)) == counts
    assert column.counted.missing == values.count(None)
    codes, n = column.codes
    assert [[a == b for b in codes] for a in codes] == [[a == b for b in values] for a in values]
    assert all(0 <= code < n for code in codes)
    assert [value if value is None or kind != "date" else value.isoformat() for value in column.values] == values


def test_a_file_is_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,age\nx,1\ny,2\n")
    checked, check = [], delimited_text._checked_shape
    monkeypatch.setattr(delimited_text, "_checked_shape", lambda *a, **k: checked.append(a) or check(*a, **k))
    shoal.describe(path)
    assert len(checked) == 1
