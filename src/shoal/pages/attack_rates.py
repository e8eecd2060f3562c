"""The success rates of attacks as a chart."""

from collections.abc import Sequence

from shoal.attacks import Finding
from shoal.display import Picture, Table

from .charts import Interval, rates_chart

__all__ = ["attack_rates_picture"]


def attack_rates_picture(findings: Sequence[Finding]) -> Picture:
    """Draw all attacks in one chart."""
    title = "Attacks and their success"
    rows = [
        (each.attack, *(f"{100 * rate:.2f} %" for rate in (each.main, *each.interval, each.baseline, each.control)))
        for each in findings
    ]
    return Picture(
        title,
        "Blue: the success rate of the attack, with a 95 % confidence interval (line). Red: that of guessing. "
        "Circle: that of the same attack with knowledge about somebody else (control). Where blue does not exceed "
        "red, the release did not help the attacker.",
        rates_chart(
            [Interval(each.attack, each.main, *each.interval, each.baseline, each.control) for each in findings]
        ),
        table=Table.of(title, ("attack", "success", "from", "to", "guessing", "control"), rows),
    )
