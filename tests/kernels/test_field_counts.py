"""Walking delimited text finds the records and fields that the csv module finds."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.text_lines import (
    BLANK,
    EXPECTED,
    FINE,
    LINE,
    NOT_TEXT,
    RAGGED,
    RECORDS,
    SIZE_OF_STATE,
    STRAY_QUOTE,
    UNCLOSED_QUOTE,
    count_fields,
    count_last_field,
)

FIELDS = st.text(st.sampled_from('ab",\n\r é'), max_size=4)


BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


@BOTH
@given(data=st.data(), block=st.integers(1, 9), newline=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_records_and_fields_are_those_of_the_csv_module(run, data, block, newline, ended) -> None:
    width = data.draw(st.integers(2, 4))
    rows = data.draw(st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=5))
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=newline, quoting=csv.QUOTE_ALL).writerows(rows)
    written = text.getvalue() if ended else text.getvalue().removesuffix(newline)
    status, state = walked(run, written.encode(), block)
    assert (status, state[EXPECTED], state[RECORDS]) == (FINE, width, len(rows))


@BOTH
@given(text=st.text(st.sampled_from("ab,\n"), max_size=30), block=st.integers(1, 9))
def test_without_quotes_lines_and_delimiters_are_counted(run, text: str, block: int) -> None:
    status, state = walked(run, text.encode(), block, quote=-1)
    lines = text.split("\n")
    counts = [line.count(",") + 1 for line in text.rstrip("\n").split("\n")] if text.strip("\n") else []
    if not counts:
        assert (status, state[RECORDS]) == (FINE, 0)
    elif lines[0] and counts[0] == 1:
        body = text[:-1] if text.endswith("\n") else text  # one field a record: a blank line is a record
        ragged = any("," in line for line in body.split("\n"))
        assert (status == RAGGED) == ragged
        assert ragged or state[RECORDS] == len(body.split("\n"))
    elif all(text.rstrip("\n").split("\n")) and len(set(counts)) == 1:
        assert (status, state[EXPECTED], state[RECORDS]) == (FINE, counts[0], len(counts))
    else:
        assert status in (RAGGED, BLANK)


@pytest.mark.parametrize(
    ("text", "status", "line"),
    [
        (b"a,b\n1,2\n3\n", RAGGED, 3),
        (b'a,b\n"1\n\n",2\n3,4,5\n', RAGGED, 5),
        (b"a,b\n\n1,2\n", BLANK, 2),
        (b"\na,b\n", BLANK, 1),
        (b'a,b\n1,x"y\n', STRAY_QUOTE, 2),
        (b'a,b\n1,"x"y\n', STRAY_QUOTE, 2),
        (b'a,b\n1,"x"\ry\n', STRAY_QUOTE, 2),
        (b'a,b\n1,"x\n', UNCLOSED_QUOTE, 3),
        (b"a,b\n1,\0\n", NOT_TEXT, 2),
        (b"a,b\n1,2\n\n\n", FINE, 5),
    ],
)
@pytest.mark.parametrize("block", [1, 2, 100])
@BOTH
def test_a_fault_is_reported_with_its_line(run, text: bytes, status: int, line: int, block: int) -> None:
    seen, state = walked(run, text, block)
    assert (seen, state[LINE]) == (status, line)


def walked(run, text: bytes, block: int, quote: int = ord('"')) -> tuple[int, np.ndarray]:
    state = np.zeros(SIZE_OF_STATE, np.int64)
    state[LINE] = 1
    for start in range(0, len(text), block):
        status = run(count_fields)(np.frombuffer(text[start : start + block], np.uint8), ord(","), quote, state)
        if status != FINE:
            return status, state
    return run(count_last_field)(state), state
