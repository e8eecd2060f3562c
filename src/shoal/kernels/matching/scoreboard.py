"""How well every record agrees with background knowledge, by the raters of the known items alone."""

import math

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["UNKNOWN_DAY", "prediction_errors", "score_records", "usual_codes"]


UNKNOWN_DAY = -(2**31)


@compiled(parallel=True)
def score_records(
    raters_begin: np.ndarray,
    raters: np.ndarray,
    codes: np.ndarray,
    days: np.ndarray,
    people: np.ndarray,
    weights: np.ndarray,
    like_rating: np.ndarray,
    like_day: np.ndarray,
    known: np.ndarray,
    known_codes: np.ndarray,
    known_days: np.ndarray,
    own: np.ndarray,
    draws: np.ndarray,
    n_parts: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Score records against each line of known items; return what is best and who has it.

    Raters are the records of each item, with their codes and days; days are empty where none are known. A known item
    adds to the score of each of its raters its weight times how alike the codes are, plus how alike the days are: both
    are looked up by difference, and days that differ by more than there is to look up are not alike at all, nor are
    unknown days. What is added is rounded to whole numbers, at least 1, so that sums are exact and ties are ties.

    Returned are for each line the best and the second best score (−1 where there is one record only), the standard
    deviation of the scores of all records, how many people are behind the records with the best score, whether own is
    one of them, and one of them: that of one of these people, by a draw from 0 to 1.
    """
    n_lines, n_records = len(known), len(people)
    best, second = np.empty(n_lines, np.int64), np.empty(n_lines, np.int64)
    spread = np.empty(n_lines)
    on_top = np.empty(n_lines, np.int64)
    own_on_top = np.empty(n_lines, np.bool_)
    chosen = np.empty(n_lines, np.int64)
    for part in prange(n_parts):
        scores = np.zeros(n_records, np.int64)
        touched = np.empty(n_records, np.int64)
        for line in range(part, n_lines, n_parts):
            n_touched = 0
            for j in range(known.shape[1]):
                item, code = known[line, j], np.int64(known_codes[line, j])
                weight = weights[item]
                dated = len(days) > 0 and known_days[line, j] != UNKNOWN_DAY
                for i in range(raters_begin[item], raters_begin[item + 1]):
                    likeness = like_rating[abs(np.int64(codes[i]) - code)]
                    if dated:
                        apart = abs(np.int64(days[i]) - np.int64(known_days[line, j]))
                        if apart < len(like_day):
                            likeness += like_day[apart]
                    row = raters[i]
                    score = scores[row]
                    if score == 0:
                        touched[n_touched] = row
                        n_touched += 1
                    scores[row] = score + max(np.int64(weight * likeness + 0.5), 1)
            those = touched[:n_touched]
            best[line], second[line], spread[line] = _top_two(scores, those)
            ranked = those if n_touched else np.arange(n_records)
            on_top[line] = _people_with(scores, ranked, people, best[line])
            own_on_top[line] = scores[own[line]] == best[line]
            chosen[line] = _pick(scores, ranked, people, best[line], draws[line] * on_top[line])
            for i in range(n_touched):
                scores[touched[i]] = 0
    return best, second, spread, on_top, own_on_top, chosen


@compiled
def _top_two(scores, touched):
    """Return the two best scores and the standard deviation of all; those that are not touched are 0."""
    n = len(scores)
    best, second = np.int64(-1), np.int64(-1)
    for _ in range(min(n - len(touched), 2)):
        best, second = np.int64(0), best
    total, squares = 0.0, 0.0
    for row in touched:
        score = scores[row]
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
        total += score
        squares += np.float64(score) * np.float64(score)
    mean = total / n
    return best, second, math.sqrt(max(squares / n - mean * mean, 0.0))


@compiled
def _people_with(scores, rows, people, score):
    found = np.int64(0)
    for row in rows:
        if scores[row] == score:
            found += people[row]
    return found


@compiled
def _pick(scores, rows, people, score, number):
    """Return the row of the person of this number among those of the rows with this score."""
    last = -1
    for row in rows:
        if scores[row] == score:
            last = row
            number -= people[row]
            if number < 0:
                break
    return last


@compiled(parallel=True)
def usual_codes(
    raters_begin: np.ndarray, raters: np.ndarray, codes: np.ndarray, people: np.ndarray, rounded: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each item how many people hold it, the sum of their codes, and their most frequent rounded code.

    Raters are the records of each item with their codes, and each stands for people; rounded says what to count a code
    as. Of several codes that are equally frequent the lowest is returned, and −1 for an item that nobody holds.
    """
    n_items = len(raters_begin) - 1
    support, sums = np.zeros(n_items, np.int64), np.zeros(n_items, np.int64)
    modes = np.full(n_items, -1, np.int64)
    for item in prange(n_items):
        times = np.zeros(rounded.max() + 1, np.int64)
        for i in range(raters_begin[item], raters_begin[item + 1]):
            each = people[raters[i]]
            support[item] += each
            sums[item] += each * np.int64(codes[i])
            times[rounded[codes[i]]] += each
        if support[item]:
            modes[item] = np.argmax(times)
    return support, sums, modes


@compiled(parallel=True)
def prediction_errors(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    targets: np.ndarray,
    known: np.ndarray,
    seen_indptr: np.ndarray,
    seen_indices: np.ndarray,
    seen_codes: np.ndarray,
    read: np.ndarray,
    means: np.ndarray,
    modes: np.ndarray,
    rounded: np.ndarray,
    parts: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare the true ratings of targets, without the known ones, with those of the seen record that is read for each.

    Returned are how many ratings each target has beside the known ones; the sums of squared differences, in seen codes,
    of the record and of the means of the items; and how often the record, rounded, and the modes of the items are
    right. Where the record has nothing the mean stands in for it, or the mode. A true code is ``parts`` seen codes;
    known are places in the true ratings, in order.
    """
    counts = np.zeros(len(targets), np.int64)
    squares, right = np.zeros((len(targets), 2)), np.zeros((len(targets), 2), np.int64)
    for t in prange(len(targets)):
        at, end = seen_indptr[read[t]], seen_indptr[read[t] + 1]
        next_known = 0
        for i in range(indptr[targets[t]], indptr[targets[t] + 1]):
            if next_known < known.shape[1] and known[t, next_known] == i:
                next_known += 1
                continue
            item, true = indices[i], np.int64(codes[i])
            while at < end and seen_indices[at] < item:
                at += 1
            value, guess = means[item], modes[item]
            if at < end and seen_indices[at] == item:
                value, guess = np.float64(seen_codes[at]), rounded[seen_codes[at]]
            counts[t] += 1
            squares[t, 0] += (value - true * parts) ** 2
            squares[t, 1] += (means[item] - true * parts) ** 2
            right[t, 0] += guess == true
            right[t, 1] += modes[item] == true
    return counts, squares, right
