"""Walk delimited text byte by byte and count the fields of every record."""

import numpy as np

from .compiled import compiled

__all__ = [
    "BAD_LINE",
    "BLANK",
    "EXPECTED",
    "FINE",
    "LINE",
    "NOT_TEXT",
    "RAGGED",
    "RECORDS",
    "SIZE_OF_STATE",
    "START",
    "STRAY_QUOTE",
    "UNCLOSED_QUOTE",
    "count_fields",
    "count_last_field",
    "parse_headed_lines",
]


FINE, RAGGED, STRAY_QUOTE, NOT_TEXT, BLANK, UNCLOSED_QUOTE = range(6)

# the state that is carried from one block of bytes to the next, as places in an int64 array
MODE, FIELDS, SIZE, EXPECTED, RECORDS, LINE, BLANKS, START, SIZE_OF_STATE = range(9)

_AT_FIELD, _PLAIN, _QUOTED, _AFTER_QUOTE, _BEFORE_LINE_END = range(5)


@compiled(plain_up_to=1 << 17)
def count_fields(data, delimiter, quote, state):
    """Walk one block; return FINE or what is wrong, with state[LINE] the line where.

    A record is a line, or several where a quoted field holds line ends. The first record sets the number of fields
    expected (unless state[EXPECTED] is already positive); blank lines are allowed at the end only, except that with
    one field a blank line is a record. A ``quote`` of −1 is for text without quoting.
    """
    mode, fields, size = state[MODE], state[FIELDS], state[SIZE]
    for i in range(len(data)):
        byte = data[i]
        if byte > quote and byte > delimiter and byte > 13 and mode <= _PLAIN:
            mode = _PLAIN  # most bytes are letters and digits
            size += 1
            continue
        if byte == 0:
            return NOT_TEXT
        if mode == _QUOTED:
            if byte == quote:
                mode = _AFTER_QUOTE
            elif byte == 10:
                state[LINE] += 1
        elif byte == 10:
            state[FIELDS], state[SIZE] = fields, size
            status = _end_record(state)
            if status != FINE:
                return status
            state[LINE] += 1
            mode, fields, size = _AT_FIELD, 0, 0
        elif mode == _BEFORE_LINE_END:
            return STRAY_QUOTE
        elif byte == delimiter:
            fields += 1
            size += 1
            mode = _AT_FIELD
        elif mode == _AFTER_QUOTE:
            if byte == quote:
                mode = _QUOTED
            elif byte == 13:
                mode = _BEFORE_LINE_END
            else:
                return STRAY_QUOTE
        elif byte == quote:
            if mode == _PLAIN:
                return STRAY_QUOTE
            mode = _QUOTED
            size += 1
        else:
            mode = _PLAIN
            if byte != 13:
                size += 1
    state[MODE], state[FIELDS], state[SIZE] = mode, fields, size
    return FINE


@compiled(plain_up_to=1 << 17)
def count_last_field(state):
    """Close the text: the last record may lack its line end."""
    if state[MODE] == _QUOTED:
        return UNCLOSED_QUOTE
    return _end_record(state) if state[SIZE] > 0 else FINE


@compiled
def _end_record(state):
    fields, size = state[FIELDS] + 1, state[SIZE]
    state[MODE] = _AT_FIELD
    state[FIELDS] = 0
    state[SIZE] = 0
    if size == 0 and state[EXPECTED] != 1:
        state[BLANKS] += 1
        return FINE
    if state[BLANKS] > 0:
        state[LINE] = state[START] + 1
        return BLANK
    if state[EXPECTED] <= 0:
        state[EXPECTED] = fields
    if fields != state[EXPECTED]:
        return RAGGED
    state[RECORDS] += 1
    state[START] = state[LINE]
    return FINE


FINE, BAD_LINE = 0, 1


@compiled
def parse_headed_lines(data, heading, keys, headings, marks):
    """Parse whole lines; return the status, how many entries were found, the last heading and the lines walked.

    A line is ``key,mark`` or ``key,mark,anything``, its numbers in plain digits without leading zeros; heading is the
    one in force before the first line, −1 for none.
    """
    found, lines, i, n = 0, 0, 0, len(data)
    while i < n:
        lines += 1
        start = i
        key = 0
        while i < n and 48 <= data[i] <= 57:
            key = key * 10 + (np.int64(data[i]) - 48)
            i += 1
        if i == start:
            if data[i] == 13 and i + 1 < n and data[i + 1] == 10:
                i += 1
            if data[i] != 10:
                return BAD_LINE, found, heading, lines
            i += 1  # a blank line
            continue
        if i - start > 18 or (data[start] == 48 and i - start > 1) or i == n:
            return BAD_LINE, found, heading, lines
        if data[i] == 58:
            heading = key
            i += 1
        elif data[i] == 44 and heading >= 0:
            i += 1
            start = i
            mark = 0
            while i < n and 48 <= data[i] <= 57:
                mark = mark * 10 + (np.int64(data[i]) - 48)
                i += 1
            if i == start or i - start > 4:
                return BAD_LINE, found, heading, lines
            keys[found] = key
            headings[found] = heading
            marks[found] = mark
            found += 1
            if i < n and data[i] == 44:
                while i < n and data[i] != 10:
                    i += 1
        else:
            return BAD_LINE, found, heading, lines
        if i < n and data[i] == 13:
            i += 1
        if i < n and data[i] != 10:
            return BAD_LINE, found, heading, lines
        i += 1
    return FINE, found, heading, lines
