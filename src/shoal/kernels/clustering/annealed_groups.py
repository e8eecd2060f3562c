"""Better groups of at least k points: some neighboring groups at a time are broken up, built anew and settled.

What is to be small is the sum of squared distances to group means. For a pool of points with products p·q about the
pool's own mean, that is a constant less Σ |S|²/n over groups, S being the sum of a group's points; with the product of
every point with every S at hand, the gain of moving a point or of exchanging two is a matter of a few additions,
however many coordinates there are.

A round that makes things worse is kept with the probability exp(−loss / heat), heat being a multiple of what a group of
the pool loses on average: some parts of a table are a thousand times as wide as others. Every block of groups is worked
on by itself with its own stream of chance, so the outcome does not depend on the number of threads.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sampling import GOLDEN, mixed, stream
from shoal.kernels.sorting import copy_into, nth_smallest, stable_order

__all__ = ["annealed_groups"]

_NEAR = 40
"""The number of nearest points among whose groups others are chosen to be broken up with the group of a point."""
_FEWER = 0.3
"""How often one group fewer than there could be is built."""
_AROUND_ALL = 0.1
"""How often others are chosen near every point of the group in turn, not near one: a group with a foot in many places
can only be taken apart with one of each."""
_SKIPPED = 0.2
"""How often a near group is passed over, so that not always the same ones come together."""


@compiled(parallel=True)
def annealed_groups(points, members, begins, labels, k, most, rounds, heat, key, values, least):
    """Work on blocks of whole groups for some rounds each, then settle them; labels are changed in place.

    Block b holds the points members[begins[b]:begins[b + 1]], whose labels are the numbers 0, 1, … of groups within the
    block, before and after. No group gets fewer than ``k`` points; of groups that have at least ``least[c]`` distinct
    values in each column c of ``values``, none is made that has not. At most ``most`` groups are broken up together.
    """
    for block in prange(len(begins) - 1):
        here = members[begins[block] : begins[block + 1]]
        own = labels[here]
        _anneal(points[here], own, k, most, rounds, heat, np.uint64(stream(key, block)), values[here], least)
        for i in range(len(here)):
            labels[here[i]] = own[i]


@compiled
def _anneal(points, labels, k, most, rounds, heat, state, values, least):
    n, n_groups = len(points), labels.max() + 1
    if n_groups < 2:
        return
    room = max(n // k, n_groups)
    sizes = np.zeros(room, np.int64)
    for i in range(n):
        sizes[labels[i]] += 1
    grouped = np.empty((room, max(sizes.max(), 4 * k)), np.int32)
    sizes[:] = 0
    for i in range(n):
        grouped[labels[i], sizes[labels[i]]] = i
        sizes[labels[i]] += 1
    free, n_free = np.empty(room, np.int64), 0
    for group in range(n_groups, room):
        free[n_free] = group
        n_free += 1
    near = _near_points(points, min(_NEAR, n - 1))
    largest = min(n, 2 * k * most + 64)
    pool, old, new = np.empty(largest, np.int64), np.empty(largest, np.int64), np.empty(largest, np.int64)
    products = np.empty((largest, largest))
    most_new = max(largest // k, most)
    sums = np.empty((largest, most_new))
    squares, counts = np.empty(most_new), np.empty(most_new, np.int64)
    together = np.empty(most, np.int64)
    unsettled = np.ones(room, np.bool_)
    for _ in range(rounds):
        state += GOLDEN
        word = mixed(state)
        start = np.int64(word % np.uint64(n))
        wanted = 2 + np.int64((word >> np.uint64(40)) % np.uint64(most - 1))
        state += GOLDEN
        if _share(mixed(state)) < _AROUND_ALL:
            around = grouped[labels[start], : sizes[labels[start]]]
        else:
            around = np.full(1, start, np.int32)
        n_together, state = _gathered(labels, near, around, wanted, _SKIPPED, together, state)
        size = _pooled(grouped, sizes, together, n_together, pool, old)
        if n_together < 2 or size == 0:
            continue
        trace = _products(points, pool, size, products)
        before = _explained(products, old, size, n_together)
        n_new, state = _rebuilt(products, new, size, k, n_free + n_together, state)
        after = _settle(products, new, size, n_new, k, sums, squares, counts)
        if after <= before + 1e-12 * trace:
            lost, warmth = max(before - after, 0.0), heat * (trace - before) / n_together
            state += GOLDEN
            if lost >= 30 * warmth or _share(mixed(state)) >= np.exp(-lost / warmth):
                continue
        if counts[:n_new].max() <= grouped.shape[1] and _diverse(values, pool, new, size, n_new, least):
            n_free = _write(labels, grouped, sizes, together, n_together, pool, new, size, n_new, free, n_free)
    again = True
    while again:
        again = False
        for group in range(room):
            if sizes[group] == 0 or not unsettled[group]:
                continue
            unsettled[group] = False
            n_together, state = _gathered(labels, near, grouped[group, :1], most, 0.0, together, state)
            size = _pooled(grouped, sizes, together, n_together, pool, old)
            if n_together < 2 or size == 0:
                continue
            trace = _products(points, pool, size, products)
            before = _explained(products, old, size, n_together)
            copy_into(new, old[:size])
            after = _settle(products, new, size, n_together, k, sums, squares, counts)
            if after <= before + 1e-9 * trace or counts[:n_together].max() > grouped.shape[1]:
                continue
            if _diverse(values, pool, new, size, n_together, least):
                _write(labels, grouped, sizes, together, n_together, pool, new, size, n_together, free, n_free)
                unsettled[together[:n_together]] = True
                again = True
    _renumber(labels, sizes)


@compiled
def _pooled(grouped, sizes, together, n_together, pool, labels):
    """Put the points of groups into the pool; return how many there are, or 0 where there is no room for them."""
    size = 0
    for i in range(n_together):
        size += sizes[together[i]]
    if size > len(pool):
        return 0
    size = 0
    for i in range(n_together):
        for j in range(sizes[together[i]]):
            pool[size], labels[size] = grouped[together[i], j], i
            size += 1
    return size


@compiled
def _write(labels, grouped, sizes, together, n_together, pool, new, size, n_new, free, n_free):
    """Put the pool's new groups in the place of its old ones; return how many numbers of groups are free."""
    numbers = np.empty(n_new, np.int64)
    for group in range(n_new):
        if group < n_together:
            numbers[group] = together[group]
        else:
            n_free -= 1
            numbers[group] = free[n_free]
    for i in range(n_together):
        sizes[together[i]] = 0
    for i in range(n_new, n_together):
        free[n_free] = together[i]
        n_free += 1
    for group in range(n_new):
        sizes[numbers[group]] = 0
    for i in range(size):
        group = numbers[new[i]]
        labels[pool[i]] = group
        grouped[group, sizes[group]] = pool[i]
        sizes[group] += 1
    return n_free


@compiled
def _share(word):
    """Return a number from 0 up to 1."""
    return (word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def _near_points(points, n_near):
    """Return for each point the nearest others, nearest first."""
    n, width = points.shape
    near = np.empty((n, n_near), np.int32)
    squares = np.empty(n)
    for i in range(n):
        for j in range(n):
            square = 0.0
            for c in range(width):
                square += (points[i, c] - points[j, c]) ** 2
            squares[j] = square
        squares[i] = np.inf
        if n_near < n - 1:
            limit = nth_smallest(squares, n_near - 1)
            close = np.flatnonzero(squares <= limit)
        else:
            close = np.flatnonzero(squares < np.inf)
        copy_into(near[i], close[stable_order(squares[close])[:n_near]])
    return near


@compiled
def _gathered(labels, near, around, wanted, skipped, together, state):
    """Choose the group of some points and others near them, in turn."""
    together[0], n_together = labels[around[0]], 1
    for place in range(near.shape[1] * len(around)):
        if n_together == wanted:
            break
        state += GOLDEN
        if _share(mixed(state)) < skipped:
            continue
        group = labels[near[around[place % len(around)], place // len(around)]]
        is_new = True
        for i in range(n_together):
            is_new = is_new and together[i] != group
        if is_new:
            together[n_together] = group
            n_together += 1
    return n_together, state


@compiled
def _products(points, pool, size, products):
    """Fill in the products of the pool's points about their mean, and return the sum of their squares.

    About an origin far away they would drown in rounding.
    """
    width = points.shape[1]
    centered = np.empty((size, width))
    for c in range(width):
        total = 0.0
        for i in range(size):
            total += points[pool[i], c]
        for i in range(size):
            centered[i, c] = points[pool[i], c] - total / size
    for i in range(size):
        for j in range(i + 1):
            product = 0.0
            for c in range(width):
                product += centered[i, c] * centered[j, c]
            products[i, j] = product
            products[j, i] = product
    trace = 0.0
    for i in range(size):
        trace += products[i, i]
    return trace


@compiled
def _explained(products, labels, size, n_groups):
    """Return Σ |S|²/n over groups."""
    total = 0.0
    for group in range(n_groups):
        square, count = 0.0, 0
        for i in range(size):
            if labels[i] != group:
                continue
            count += 1
            for j in range(size):
                if labels[j] == group:
                    square += products[i, j]
        total += square / count
    return total


@compiled
def _rebuilt(products, labels, size, k, room, state):
    """Group the pool anew: the k points nearest to one drawn at random, again and again; the rest go to the nearest."""
    n_groups = min(size // k, room)
    state += GOLDEN
    if n_groups > 1 and n_groups * (2 * k - 1) - (2 * k - 1) >= size and _share(mixed(state)) < _FEWER:
        n_groups -= 1
    seeds = np.empty(n_groups, np.int64)
    labels[:size] = -1
    left = size
    for group in range(n_groups):
        state += GOLDEN
        skipped = np.int64(mixed(state) % np.uint64(left))
        seed = 0
        while labels[seed] >= 0 or skipped > 0:
            skipped -= labels[seed] < 0
            seed += 1
        labels[seed], seeds[group] = group, seed
        for _ in range(k - 1):
            best, nearest = np.inf, -1
            for i in range(size):
                square = products[i, i] - 2 * products[i, seed]
                if labels[i] < 0 and square < best:
                    best, nearest = square, i
            labels[nearest] = group
        left -= k
    for i in range(size):
        if labels[i] >= 0:
            continue
        best = np.inf
        for group in range(n_groups):
            seed = seeds[group]
            square = products[seed, seed] - 2 * products[i, seed]
            if square < best:
                best, labels[i] = square, group
    return n_groups, state


@compiled
def _settle(products, labels, size, n_groups, k, sums, squares, counts):
    """Move points and exchange pairs for as long as that gains anything; return Σ |S|²/n over groups."""
    squares[:n_groups] = 0.0
    counts[:n_groups] = 0
    trace = 0.0
    for i in range(size):
        counts[labels[i]] += 1
        trace += products[i, i]
        sums[i, :n_groups] = 0.0
        for j in range(size):
            sums[i, labels[j]] += products[i, j]
    for i in range(size):
        squares[labels[i]] += sums[i, labels[i]]
    improved = True
    while improved:
        improved = False
        for i in range(size):
            a = labels[i]
            best, target, partner = 1e-12 * trace, -1, -1
            if counts[a] > k:
                loss = squares[a] / counts[a] - (squares[a] - 2 * sums[i, a] + products[i, i]) / (counts[a] - 1)
                for b in range(n_groups):
                    if b != a:
                        grown = (squares[b] + 2 * sums[i, b] + products[i, i]) / (counts[b] + 1)
                        gain = grown - squares[b] / counts[b] - loss
                        if gain > best:
                            best, target = gain, b
            for j in range(size):
                b = labels[j]
                if b == a:
                    continue
                apart = products[i, i] + products[j, j] - 2 * products[i, j]
                gain = (2 * (sums[j, a] - sums[i, a]) + apart) / counts[a]
                gain += (2 * (sums[i, b] - sums[j, b]) + apart) / counts[b]
                if gain > best:
                    best, target, partner = gain, b, j
            if target < 0:
                continue
            improved = True
            b = target
            if partner < 0:
                squares[a] += products[i, i] - 2 * sums[i, a]
                squares[b] += products[i, i] + 2 * sums[i, b]
                counts[a] -= 1
                counts[b] += 1
                labels[i] = b
                for other in range(size):
                    sums[other, a] -= products[other, i]
                    sums[other, b] += products[other, i]
            else:
                j = partner
                apart = products[i, i] + products[j, j] - 2 * products[i, j]
                squares[a] += 2 * (sums[j, a] - sums[i, a]) + apart
                squares[b] += 2 * (sums[i, b] - sums[j, b]) + apart
                labels[i], labels[j] = b, a
                for other in range(size):
                    change = products[other, j] - products[other, i]
                    sums[other, a] += change
                    sums[other, b] -= change
    total = 0.0
    for group in range(n_groups):
        total += squares[group] / counts[group]
    return total


@compiled
def _diverse(values, pool, labels, size, n_groups, least):
    """Return whether every group has enough distinct values in every column."""
    for column in range(len(least)):
        for group in range(n_groups):
            distinct = 0
            for i in range(size):
                if labels[i] != group:
                    continue
                first = True
                for j in range(i):
                    first = first and not (labels[j] == group and values[pool[i], column] == values[pool[j], column])
                distinct += first
            if distinct < least[column]:
                return False
    return True


@compiled
def _renumber(labels, sizes):
    """Close the gaps among numbers of groups."""
    numbers = np.empty(len(sizes), np.int64)
    n_groups = 0
    for group in range(len(sizes)):
        numbers[group] = n_groups
        n_groups += sizes[group] > 0
    for i in range(len(labels)):
        labels[i] = numbers[labels[i]]
