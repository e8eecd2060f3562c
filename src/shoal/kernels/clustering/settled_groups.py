"""Move points between groups, and swap them, as long as that makes the groups tighter.

How tight groups are is the sum of squared distances between points and the means of their groups. With D(x, A) for the
squared distance between a point and the mean of a group of a points, moving x from A to B saves
D(x, A)·a/(a − 1) − D(x, B)·b/(b + 1), and swapping x of A with y of B saves
D(x, A) − D(x, B) + D(y, B) − D(y, A) + |x − y|²·(1/a + 1/b).

A change is looked for with distances to means of a moment ago, and made if it saves something when worked out exactly.
So means and distances are made new only after some changes, more of them the larger groups are, and a change takes as
long in large groups as in small ones. A pass begins with all of them new: one that changes nothing has seen everything.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import copy_into

__all__ = ["group_means", "nearest_centers", "settle_groups"]


_LITTLE = 1e-9
"""A change saves more than this share of the distances it is worked out from, or it may be nothing but rounding."""
_OFTEN = 16
"""A group is measured again when one in this many of its members has changed."""

_ONE = np.float32(1)  # a plain 1 would turn a sum into double precision when compiled, and not otherwise


@compiled(parallel=True)
def settle_groups(
    points: np.ndarray,
    members: np.ndarray,
    sizes: np.ndarray,
    blocks: np.ndarray,
    begins: np.ndarray,
    least: int,
    passes: int,
) -> np.ndarray:
    """Change members and sizes in place; return for each block of groups how much was saved.

    Line g of members holds the points of group g, sizes[g] of them; no group gets smaller than least or larger than a
    line. Block b is made of the groups blocks[begins[b]:begins[b + 1]]; points move within a block only, so blocks are
    worked on side by side.
    """
    saved = np.zeros(len(begins) - 1, np.float64)
    for b in prange(len(begins) - 1):
        saved[b] = _settle(points, members, sizes, blocks[begins[b] : begins[b + 1]], least, passes)
    return saved


@compiled
def _settle(points, members, sizes, groups, least, passes):
    """Work on one block until a pass changes nothing; return what was saved."""
    held, inside, rows, which = _gather(points, members, sizes, groups)
    width, n_groups = points.shape[1], len(groups)
    sums, means = np.zeros((n_groups, width), np.float64), np.empty((width, n_groups), np.float32)
    own, largest = np.empty(len(rows), np.float32), np.empty(n_groups, np.float32)
    changes = np.ones(n_groups, np.int64)
    block = (rows, held, inside, sums, means, own, largest, changes)
    for g in range(n_groups):
        for slot in range(inside[g]):
            for column in range(width):
                sums[g, column] += rows[held[g, slot], column]
    across = rows.T.copy()
    to_groups, to_points = np.empty(n_groups, np.float32), np.empty(len(rows), np.float32)
    promising = np.empty(n_groups, np.float32)
    saved = 0.0
    for _ in range(passes):
        before = saved
        for g in range(n_groups):
            if changes[g] > 0:
                _measure(block, g)
        for g in range(n_groups):
            saved += _settle_group(block, across, g, least, to_groups, to_points, promising)
        if saved == before:
            break
    for g in range(n_groups):
        sizes[groups[g]] = inside[g]
        for slot in range(inside[g]):
            members[groups[g], slot] = which[held[g, slot]]
    return saved


@compiled
def _gather(points, members, sizes, groups):
    """Copy the points of a block to one place, and number points and groups anew."""
    inside = sizes[groups]
    held = np.zeros((len(groups), members.shape[1]), np.int64)
    rows, which = np.empty((inside.sum(), points.shape[1]), np.float32), np.empty(inside.sum(), np.int64)
    place = 0
    for g in range(len(groups)):
        for slot in range(inside[g]):
            which[place] = members[groups[g], slot]
            copy_into(rows[place], points[which[place]])
            held[g, slot] = place
            place += 1
    return held, inside, rows, which


@compiled
def _measure(block, g):
    """Work out the mean of a group, and how far its points are from it."""
    rows, held, inside, sums, means, own, largest, changes = block
    changes[g] = 0
    for column in range(rows.shape[1]):
        means[column, g] = sums[g, column] / inside[g]
    largest[g] = 0
    for slot in range(inside[g]):
        x = held[g, slot]
        own[x] = 0
        for column in range(rows.shape[1]):
            difference = rows[x, column] - means[column, g]
            own[x] += difference * difference
        largest[g] = max(largest[g], own[x])


@compiled
def _settle_group(block, across, g, least, to_groups, to_points, promising):
    """Make for each point of a group the change that saves most, if any does; return what was saved."""
    rows, held, inside, _, means, own, _, changes = block
    saved, slot, stale = 0.0, 0, True
    while slot < inside[g]:
        if stale:
            _distances(means[:, g], across, to_points)
            _look(block, g, to_points, promising)
            stale = False
        _distances(rows[held[g, slot]], means, to_groups)
        h, place = _best_change(block, g, slot, least, to_groups, to_points, promising)
        if h >= 0:
            gain, scale = _gain(block, g, slot, h, place)
            if gain > _LITTLE * scale:
                own[held[g, slot]] = to_groups[h]
                if place >= 0:
                    own[held[h, place]] = to_points[held[h, place]]
                _change(block, g, slot, h, place)
                saved += gain
                stale = _OFTEN * changes[g] >= inside[g]
                if stale:
                    _measure(block, g)
                if _OFTEN * changes[h] >= inside[h]:
                    _measure(block, h)
        slot += 1
    return saved


@compiled
def _look(block, g, to_points, promising):
    """Work out for every group the most that a point of it can bring to a swap with one that is at the mean of g."""
    _, held, inside, _, _, own, _, _ = block
    for h in range(len(inside)):
        share = np.float32(1 / inside[g] + 1 / inside[h])
        promising[h] = -np.inf
        for place in range(inside[h]):
            y = held[h, place]
            promising[h] = max(promising[h], own[y] - to_points[y] + (share + share) * to_points[y])


@compiled
def _distances(point, across, out):
    """Work out the squared distances between a point and others, each of them in a column."""
    out[:] = 0
    for column in range(len(point)):
        value = point[column]
        for i in range(len(out)):
            difference = value - across[column, i]
            out[i] += difference * difference


@compiled
def _best_change(block, g, slot, least, to_groups, to_points, promising):
    """Return the group to which to move a point and -1, or the place in it with which to swap it; or -1 and -1.

    To rule out most swaps without looking at them: |x − y|² is at most 2·D(x, A) + 2·D(y, A), and whatever y is,
    |x − y|²·share − D(y, A) is at most D(x, A)·share/(1 − share).
    """
    rows, held, inside, _, _, own, largest, _ = block
    x = held[g, slot]
    best, best_group, best_place = np.float32(0), -1, -1
    if inside[g] > least:
        leaving = own[x] * np.float32(inside[g] / (inside[g] - 1))
        for h in range(len(inside)):
            gain = leaving - to_groups[h] * np.float32(inside[h] / (inside[h] + 1))
            if gain > best and h != g and inside[h] < held.shape[1]:
                best, best_group = gain, h
    for h in range(len(inside)):
        share = np.float32(1 / inside[g] + 1 / inside[h])
        closer = own[x] - to_groups[h]
        if h == g or closer + promising[h] + (share + share) * own[x] <= best:
            continue
        if share < 1 and closer + largest[h] + own[x] * share / (_ONE - share) <= best:
            continue
        for place in range(inside[h]):
            y = held[h, place]
            gain = closer + own[y] - to_points[y]
            if gain + (share + share) * (own[x] + to_points[y]) <= best:
                continue
            between = np.float32(0)
            for column in range(rows.shape[1]):
                difference = rows[x, column] - rows[y, column]
                between += difference * difference
            gain += share * between
            if gain > best:
                best, best_group, best_place = gain, h, place
    return best_group, best_place


@compiled
def _gain(block, g, slot, h, place):
    """Return what a change saves, worked out in double precision, and the sum of the distances that go into it."""
    rows, held, inside, sums, _, _, _, _ = block
    a, b = float(inside[g]), float(inside[h])
    x = held[g, slot]
    leaves, comes, back, forth, between = 0.0, 0.0, 0.0, 0.0, 0.0
    for column in range(rows.shape[1]):
        mine, theirs, value = sums[g, column] / a, sums[h, column] / b, np.float64(rows[x, column])
        leaves += (value - mine) ** 2
        comes += (value - theirs) ** 2
        if place >= 0:
            other = np.float64(rows[held[h, place], column])
            back += (other - theirs) ** 2
            forth += (other - mine) ** 2
            between += (other - value) ** 2
    scale = leaves + comes + back + forth + between
    if place < 0:
        return leaves * a / (a - 1) - comes * b / (b + 1), scale
    return leaves - comes + back - forth + between * (1 / a + 1 / b), scale


@compiled
def _change(block, g, slot, h, place):
    """Move a point, or swap it."""
    rows, held, inside, sums, _, _, _, changes = block
    changes[g] += 1
    changes[h] += 1
    x = held[g, slot]
    for column in range(rows.shape[1]):
        sums[g, column] -= rows[x, column]
        sums[h, column] += rows[x, column]
    if place < 0:
        held[h, inside[h]] = x
        inside[h] += 1
        inside[g] -= 1
        held[g, slot] = held[g, inside[g]]
        return
    y = held[h, place]
    for column in range(rows.shape[1]):
        sums[g, column] += rows[y, column]
        sums[h, column] -= rows[y, column]
    held[g, slot], held[h, place] = y, x


_BLOCK = 1024


@compiled(parallel=True)
def nearest_centers(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Return the number of the center nearest to each point, of equally near ones the first.

    Points and centers are rows of float32; there is at least one center.
    """
    n, width = points.shape
    across = centers.T.copy()  # so that the innermost loop runs over centers, and many are done at once
    nearest = np.empty(n, np.int64)
    for block in prange((n + _BLOCK - 1) // _BLOCK):
        apart = np.empty(len(centers), np.float32)
        for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
            apart[:] = 0
            for column in range(width):
                value = points[i, column]
                for center in range(len(apart)):
                    difference = value - across[column, center]
                    apart[center] += difference * difference
            nearest[i] = np.argmin(apart)
    return nearest


@compiled(parallel=True)
def group_means(points: np.ndarray, members: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the mean of each group as float32; line g of members holds the points of group g, sizes[g] of them."""
    width = points.shape[1]
    means = np.empty((len(sizes), width), np.float32)
    for g in prange(len(sizes)):
        sums = np.zeros(width, np.float64)
        for slot in range(sizes[g]):
            for column in range(width):
                sums[column] += points[members[g, slot], column]
        for column in range(width):
            means[g, column] = sums[column] / sizes[g]
    return means
