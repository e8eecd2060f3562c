"""How sure a rate is that was seen on some."""

import math

__all__ = ["wilson_interval"]

_NORMAL_95 = 1.959963984540054


def wilson_interval(rate: float, n: int) -> tuple[float, float]:
    """Give the 95 % interval of Wilson (1927) for a mean of n values between 0 and 1.

    For values other than 0 and 1 it is wider than need be: no distribution on [0, 1] with this mean varies more.
    """
    if n == 0:
        return 0.0, 1.0
    spread = _NORMAL_95**2 / n
    middle = (rate + spread / 2) / (1 + spread)
    half = math.sqrt(rate * (1 - rate) * spread + spread**2 / 4) / (1 + spread)
    # the interval holds the rate itself; rounding may push it out at 0 and 1
    return max(min(middle - half, rate), 0.0), min(max(middle + half, rate), 1.0)
