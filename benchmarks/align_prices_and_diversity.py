"""What ``align`` costs on fine scales, and what it costs that sensitive ratings must spread (k = 5).

*Prices.* Answers by slider, 0 to 1000, and 1,000 people of Jester in hundredths: with prices in steps of the scale (the
settings that come to that) and with shares of its span, which are what ``align`` reckons with. *Diversity.* Three
surveys without l and with it: cells moved, dropped and invented, their cost, the smallest group or neighborhood, and
processor time; the cost beside that without l. And how much of that could not be avoided: in a group that spreads by l
everybody is with somebody whose rating is at least l away, so the distance to the nearest such record, beyond ε, is
reported beside that to the nearest record at all. *Few questions.* The same, with k = 4, on 220 drawn answers to eight
questions, most of which are within ε of others as they are, with one, two and three sensitive issues. Needs the data
sets beside the project for all but the sliders and the few questions.
"""

import time
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from measuring import SHARED
from shoal.anonymizers import Align
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema, read_schema
from shoal.models import KEpsilon
from shoal.randomness import Randomness

K = 5
SURVEYS, JOKES = SHARED / "surveys", SHARED / "ratings/jester-1"
ASKED = (("neighborhood", None), ("neighborhood", "0.5"), ("neighborhood", "1"), ("partition", "1"))


def main(folder: Path) -> dict[str, Any]:
    """Publish with both prices, then with and without l; give the worst shares and every point."""
    prices = [point for name, data, epsilon in _fine(folder) for point in _priced(name, data, epsilon)]
    spread: list[dict[str, Any]] = []
    for name, data in _surveys(folder):
        _recoded(data.take(np.arange(300)), KEpsilon(K, Fraction(1), Fraction(1)), Align())  # compiles, or loads
        alone = None
        for semantics, l in ASKED:  # noqa: E741
            spread.append({"data": name, "semantics": semantics, "l": l} | _spread(data, semantics, l))
            alone = spread[-1]["cost"] if l is None else alone
            spread[-1]["times_the_cost_without_l"] = round(spread[-1]["cost"] / alone, 3) if alone else None
            print(spread[-1], flush=True)
    shares = [point["times_the_cost_without_l"] for point in spread if point["l"] is not None]
    dropped = {
        prices_in: max(one["share_dropped"] for one in prices if one["prices"] == prices_in) for prices_in in _WAYS
    }
    return {
        **{f"worst_share_dropped_{name.replace(' ', '_')}": share for name, share in dropped.items()},
        "worst_times_the_cost_without_l": max(shares, default=0),
        "prices": prices,
        "diversity": spread,
        "few_questions": _few_questions(),
    }


def _few_questions() -> list[dict[str, Any]]:
    """Publish drawn answers without l and with it; the sensitive ones have nothing to do with the others."""
    chance = np.random.default_rng(1)
    traits, weights = chance.normal(size=(220, 2)), chance.normal(size=(2, 8))
    answers = np.clip(np.round(3 + traits @ weights * 0.7 + chance.normal(size=(220, 8)) * 0.5), 1, 5)
    secrets = {
        "one, 30 % at the other end": np.where(chance.random((220, 1)) < 0.3, 5, 1),
        "one, 12 % at the other end": np.where(chance.random((220, 1)) < 0.12, 5, 1),
        "two": np.column_stack([np.where(chance.random(220) < 0.4, 5, 1), np.where(chance.random(220) < 0.4, 4, 2)]),
        "three": chance.integers(1, 6, (220, 3)),
    }
    points: list[dict[str, Any]] = []
    for name, secret in secrets.items():
        data, most = _drawn(answers, secret), float(secret.std(axis=0).min())
        alone = None
        for share in (0, 0.6, 0.85):
            l = f"{share * most:.3f}" if share else None  # noqa: E741
            for semantics in ("neighborhood", "partition"):
                published = _spread(data, semantics, l, k=4)
                alone = published["cost"] if l is None else alone
                published["times_the_cost_without_l"] = round(published["cost"] / alone, 3) if alone else None
                points.append({"sensitive": name, "semantics": semantics, "l": l} | published)
                print(points[-1], flush=True)
    return points


def _drawn(answers: np.ndarray, secret: np.ndarray) -> Ratings:
    scale = Scale.of(1, 5)
    known, hidden = (
        RatingMatrix.from_dense(
            Vocabulary(pl.Series([f"{name} {i}" for i in range(codes.shape[1])])),
            (codes - 1).astype(np.int32),
            scale.dtype,
        )
        for name, codes in (("question", answers), ("sensitive", secret))
    )
    return Ratings(Vocabulary.numbered(len(answers)), known, hidden, scale)


_WAYS = ("in steps", "in shares of the span")


def _priced(name: str, data: Ratings, epsilon: Fraction) -> list[dict[str, Any]]:
    quarter = Fraction(data.scale.points - 1, 4)
    methods = dict(zip(_WAYS, (Align(Fraction(3) / quarter, Fraction(2) / quarter), Align()), strict=True))
    points = []
    for way, method in methods.items():
        made, seconds = _recoded(data, KEpsilon(K, epsilon), method)
        published = _changes(data, made)
        share = round(published["dropped"] / data.observable.n_ratings, 4)
        points.append({"data": name, "epsilon": float(epsilon), "prices": way, "share_dropped": share, **published})
        points[-1]["processor_seconds"] = seconds
        print(points[-1], flush=True)
    return points


def _spread(data: Ratings, semantics: str, l: str | None, k: int = K) -> dict[str, Any]:  # noqa: E741
    model = KEpsilon(k, Fraction(1), None if l is None else Fraction(l), semantics)  # type: ignore[arg-type]
    made, seconds = _recoded(data, model, Align())
    verdict = judge(made, [model], LocalEngine()).verdicts[0]
    published = {**_changes(data, made), "level": verdict.level, "holds": verdict.holds, "processor_seconds": seconds}
    if l is not None and semantics == "neighborhood":
        published["nearest_beyond_epsilon"], published["nearest_that_differs_by_l"] = _nearest(data, float(l))
    return published


def _recoded(data: Ratings, model: KEpsilon, method: Align) -> tuple[Ratings, float]:
    """Return what is made, and the seconds of processor time it took."""
    began = time.process_time()
    made = method.recode(data, [model], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    return made, round(time.process_time() - began, 2)


def _changes(before: Ratings, after: Ratings) -> dict[str, Any]:
    """Count cells, and what they cost at shares of the span: moving by a step 1, as on a scale of five points."""
    one, other = (ratings.observable.dense().astype(np.int64) for ratings in (before, after))
    both = (one >= 0) & (other >= 0)
    dropped, invented = int(((one >= 0) & (other < 0)).sum()), int(((one < 0) & (other >= 0)).sum())
    quarter = (before.scale.points - 1) / 4
    cost = int(np.abs(one - other)[both].sum()) + quarter * (2 * dropped + 3 * invented)
    return {"moved": int((both & (one != other)).sum()), "dropped": dropped, "invented": invented, "cost": cost}


def _nearest(data: Ratings, l: float) -> tuple[float, float]:  # noqa: E741
    """Return the mean distance beyond ε, added over issues, to the nearest other and the nearest that differs by l."""
    codes, secret = data.observable.dense().astype(np.int64), data.sensitive.dense().astype(np.int64)
    plain, differing = [], []
    for row in range(0, len(codes), 4):
        both = (codes >= 0) & (codes[row] >= 0)
        apart = np.where(both, np.maximum(np.abs(codes - codes[row]) - 1, 0), 0).sum(axis=1)
        apart[row] = apart.max() + 1
        plain.append(apart.min())
        for issue in np.flatnonzero(secret[row] >= 0):
            far = (secret[:, issue] >= 0) & (np.abs(secret[:, issue] - secret[row, issue]) >= l)
            differing.append(apart[far].min())
    return round(float(np.mean(plain)), 3), round(float(np.mean(differing)), 3)


def _fine(folder: Path) -> list[tuple[str, Ratings, Fraction]]:
    chance = np.random.default_rng(1)
    people = chance.normal(500, 150, (1500, 1)) + chance.normal(0, 150, (1500, 10))
    codes = np.clip(np.rint(people), 0, 1000).astype(np.int32)
    codes[chance.random(codes.shape) < 0.03] = -1
    scale, items = Scale.of(0, 1000), Vocabulary(pl.Series([f"slider {i}" for i in range(10)]))
    sides = RatingMatrix.from_dense(items, codes, scale.dtype), RatingMatrix.empty(1500, scale.dtype)
    sliders = Ratings(Vocabulary.numbered(1500), *sides, scale)
    sets = [("sliders 0 to 1000", sliders, Fraction(50)), ("sliders 0 to 1000", sliders, Fraction(250))]
    return sets + ([("jester in hundredths", _jokes(folder), Fraction(1))] if JOKES.exists() else [])


def _jokes(folder: Path) -> Ratings:
    """Read 1,000 people's ratings of the 20 jokes most rated; the first column counts jokes, and 99 is no rating."""
    with zipfile.ZipFile(next(JOKES.glob("*.zip"))) as packed:
        (folder / "jokes.csv").write_bytes(packed.read(packed.namelist()[0]))
    frame = pl.read_csv(folder / "jokes.csv", has_header=False, infer_schema_length=None)[:1000, 1:]
    given = (frame.to_numpy() != 99).sum(axis=0)
    names = [frame.columns[i] for i in np.argsort(given, kind="stable")[-20:]]
    frame.select(names).write_csv(folder / "wide.csv")
    schema = RatingsSchema(layout="wide", scale=(-10, 10), step=0.01, null=(99,), round=True)
    records = shoal.read(folder / "wide.csv", schema).records
    assert isinstance(records, Ratings)
    return records


def _surveys(folder: Path) -> list[tuple[str, Ratings]]:
    young = SURVEYS / "young-people-survey/responses.csv"
    if not young.exists():
        return []
    (folder / "starter.toml").write_text(shoal.describe(young).starter or "", encoding="utf-8")
    starter = read_schema(folder / "starter.toml")
    published = {
        "young people": (young, starter.model_copy(update={"sensitive": ("Health", "Loneliness")})),
        "bfi": (
            SURVEYS / "bfi/bfi.csv",
            RatingsSchema(layout="wide", scale=(1, 6), ignore=("gender", "education", "age"), sensitive=("N1", "N4")),
        ),
        "sd3, 3,000 people": (
            SURVEYS / "sd3/data.csv",
            RatingsSchema(layout="wide", scale=(1, 5), null=(0,), ignore=("country", "source"), sensitive=("P1", "P7")),
        ),
    }
    found = []
    for name, (path, schema) in published.items():
        records = shoal.read(path, schema).records
        assert isinstance(records, Ratings)
        found.append((name, records.take(np.arange(min(len(records), 3000)))))
    return found
