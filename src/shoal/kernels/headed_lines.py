"""Parse lines ``number,number,…`` that stand under heading lines ``number:``."""

import numpy as np
from numba import njit

__all__ = ["BAD_LINE", "FINE", "parse_headed_lines"]

FINE, BAD_LINE = 0, 1


@njit(cache=True, nogil=True)
def parse_headed_lines(data, heading, keys, headings, marks):
    """Parse whole lines; give the status, how many entries were found, the last heading and the lines walked.

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
