"""The attack ``nearest``: who is found by all their answers, each up to one off, before and after publishing.

On the first 4,000 respondents and 22 questions of a survey (SD3), raw and as published for k = 5 under (k,ε) by
neighborhoods with leaders (``groups=led``, the default until 0.1.0) and with groups that are alike pairwise, by
partition, and under k-anonymity of profiles by ``align`` and by ``predictive``. Beside the rate of the attack: its
baseline and control, what the release cost in steps of the scale, and how many answers it changed. Then, on the raw
ratings of MovieLens 1M, how long the attack takes. Needs the data sets beside the project.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED, measured
from shoal import road
from shoal.anonymizers import Align, Anonymizer, Predictive
from shoal.attacks import Exposure, Nearest
from shoal.data import Ratings
from shoal.io import RatingsSchema
from shoal.models import KAnonymity, KEpsilon, PrivacyModel
from shoal.randomness import Randomness

SURVEY, FILMS = SHARED / "surveys/sd3/data.csv", SHARED / "ratings/ml-1m/ratings.dat.gz"
RESPONDENTS, K = 4000, 5
LEFT_OUT = ("P5", "P6", "P7", "P8", "P9", "country", "source")
BY_PARTITION = {epsilon: KEpsilon(K, Fraction(epsilon), semantics="partition") for epsilon in (1, 2)}
RELEASES: tuple[tuple[PrivacyModel, Anonymizer], ...] = (
    (KEpsilon(K, Fraction(2)), Align(groups="led")),
    (KEpsilon(K, Fraction(2)), Align()),
    (BY_PARTITION[2], Align()),
    (KEpsilon(K, Fraction(1)), Align(groups="led")),
    (KEpsilon(K, Fraction(1)), Align()),
    (BY_PARTITION[1], Align()),
    (KAnonymity(K), Align()),
    (KAnonymity(K), Predictive()),
)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Attack the survey and its releases, and give rates and costs."""
    if not (SURVEY.exists() and FILMS.exists()):
        return {"skipped_for_want_of_data": 1}
    schema = RatingsSchema(layout="wide", scale=(1, 5), null=(0,), ignore=LEFT_OUT)
    answers = shoal.read(SURVEY, schema).records.take(np.arange(RESPONDENTS))
    assert isinstance(answers, Ratings)
    points = [{"release": "raw", **_found(Exposure.of_itself(answers))}]
    for promise, method in RELEASES:
        points.append(_published(answers, promise, method))
        print(points[-1], flush=True)
    films = shoal.read(FILMS, RatingsSchema(layout="movielens", scale=(1, 5))).records
    finding, seconds, mib = measured(lambda: Nearest().run(Exposure.of_itself(films), Randomness(1)))
    return {
        "respondents": RESPONDENTS,
        "k": K,
        **{f"found_{number}": point["main"] for number, point in enumerate(points)},
        "ml_1m_seconds": seconds,
        "ml_1m_mib": mib,
        "ml_1m_found": round(finding.main, 4),
        "points": points,
    }


def _published(answers: Ratings, promise: PrivacyModel, method: Anonymizer) -> dict[str, Any]:
    release, ledger = road.publish(answers, [promise], method, randomness=Randomness(1))
    place = np.full(len(answers), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins)) if ledger.places is None else ledger.places
    figures = {name: ledger.report[name] for name in ("cost", "cells changed") if name in ledger.report}
    return {"release": f"{promise} by {method}", **_found(Exposure(answers, release.records, place)), **figures}


def _found(exposure: Exposure) -> dict[str, float]:
    finding = Nearest().run(exposure, Randomness(1))
    rates = {"main": finding.main, "baseline": finding.baseline, "control": finding.control, **finding.details}
    return {name: round(rate, 4) for name, rate in rates.items()}
