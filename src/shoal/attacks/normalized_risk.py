"""How much of what the control leaves over an attack achieves.

*Definition.* risk = (main − control) / (1 − control): of the targets about whom an attacker who knows nothing of them
is wrong, the share about whom this attacker is right. It is 0 where the control does as well as the attack or better,
and also where the control is always right, because nothing is left to achieve then.

*Interval.* The margins of the two rates, from each rate to the ends of its Wilson interval, are carried over by the
derivatives of the risk and added as squares: downwards the lower margin of the main rate and the upper one of the
control, upwards the other two. It is cut off at 0 and 1, and is all of [0, 1] where the control is always right.

*Reference.* Giomi, Boenisch, Wehmeyer and Tasnádi, A Unified Framework for Quantifying Privacy Risk in Synthetic Data
(2023), equation 2; there the margins are symmetric around the middle of the Wilson interval.
"""

import math

__all__ = ["normalized_risk"]

Interval = tuple[float, float]


def normalized_risk(
    main: float, main_interval: Interval, control: float, control_interval: Interval
) -> tuple[float, Interval]:
    """Return the risk of an attack above its control, and the interval of the risk."""
    left = 1 - control
    if left <= 0:
        return 0.0, (0.0, 1.0)
    risk = (main - control) / left
    by_main, by_control = 1 / left, (1 - main) / left**2
    down = math.hypot((main - main_interval[0]) * by_main, (control_interval[1] - control) * by_control)
    up = math.hypot((main_interval[1] - main) * by_main, (control - control_interval[0]) * by_control)
    return _share(risk), (_share(risk - down), _share(risk + up))


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)
