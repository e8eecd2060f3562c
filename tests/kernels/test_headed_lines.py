"""Lines under headings are parsed as a few lines of Python would."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.text_lines import BAD_LINE, FINE, parse_headed_lines

GOOD = ["7:", "70:", "0:", "1,2", "12,5,2003-01-01", "12,5,", "", "1,2\r", "8:\r", "\r", "9" * 18 + ",1", "4,0"]
BAD = ["07:", ":", "3,4x", "x,4", "1", "5,", ",5", "9" * 19 + ",1", "01,2", "1,99999"]
LINES = st.sampled_from([*GOOD, *BAD])


@pytest.mark.parametrize("parse", [parse_headed_lines, parse_headed_lines.py_func], ids=["compiled", "plain"])
@given(lines=st.lists(LINES, max_size=8), heading=st.sampled_from([-1, 44]))
def test_lines_are_parsed_as_python_would(parse, lines: list[str], heading: int) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    keys, headings, marks = np.empty(20, np.int64), np.empty(20, np.int64), np.empty(20, np.int16)
    with np.errstate(over="ignore"):  # a number of too many digits wraps around before it is refused
        status, found, last, walked = parse(np.frombuffer(text, np.uint8), heading, keys, headings, marks)
    expected, bad, force = plainly(lines, heading)
    assert (status, walked) == ((BAD_LINE, bad) if bad else (FINE, len(lines)))
    if status == FINE:
        seen = zip(keys[:found].tolist(), headings[:found].tolist(), marks[:found].tolist(), strict=True)
        assert list(seen) == expected
    assert last == force


def plainly(lines: list[str], heading: int) -> tuple[list[tuple[int, int, int]], int, int]:
    """Return the entries, the number of the first bad line or 0, and the heading in force."""
    number = r"(0|[1-9][0-9]{0,17})"
    entries = []
    for i, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if match := re.fullmatch(rf"{number}:", line):
            heading = int(match[1])
        elif (match := re.fullmatch(rf"{number},([0-9]{{1,4}})(,.*)?", line)) and heading >= 0:
            entries.append((int(match[1]), heading, int(match[2])))
        elif line:
            return entries, i, heading
    return entries, 0, heading
