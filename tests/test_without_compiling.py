"""The kernels are plain Python underneath: uncompiled, a part of the suite's answers comes out the same."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import road
from shoal.anonymizers import Mondrian, Nothing
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema, read
from shoal.models import KAnonymity, KEpsilon, LDiversity, PrivacyModel
from shoal.randomness import Randomness

MODELS: dict[str, list[PrivacyModel]] = {
    "ratings": [KAnonymity(2), KEpsilon(2, Fraction(0)), KEpsilon(3, Fraction(1)), KEpsilon(2, Fraction(5))],
    "table": [KAnonymity(2), KAnonymity(5), LDiversity(2)],
}


def answers() -> dict[str, Any]:
    """Judge, recode and read a few small things, and tell the answers."""
    chance = np.random.default_rng(11)
    published: dict[str, Any] = {}
    for number in range(3):
        for records in (small_ratings(chance), small_table(chance)):
            judgment = judge(records, MODELS[records.kind], LocalEngine(block=7))
            published[f"{records.kind} {number}"] = [
                [verdict.promise, verdict.holds, dict(verdict.level), verdict.violations, verdict.violating.tolist()]
                for verdict in judgment.verdicts
            ]
        drawn = Randomness(number, bytes(range(32)))
        release, ledger = road.publish(small_table(chance), [KAnonymity(3)], Mondrian(), randomness=drawn)
        assert isinstance(release.records, Microdata)
        published[f"release {number}"] = [release.records.frame().rows(), dict(ledger.report)]
    equal = small_ratings(chance, copies=3)
    published["ratings released"] = dict(road.publish(equal, [KAnonymity(3)], Nothing())[1].report)
    return published


def small_ratings(chance: np.random.Generator, copies: int = 1) -> Ratings:
    codes = np.repeat(chance.integers(-1, 3, (14 // copies, 3)).astype(np.int32), copies, axis=0)
    items = Vocabulary(pl.Series(["a", "b", "c"]))
    return Ratings(
        Vocabulary.numbered(len(codes)),
        RatingMatrix.from_dense(items, codes),
        RatingMatrix.from_dense(Vocabulary(pl.Series(["d"])), codes[:, :1]),
        Scale.of(1, 5),
    )


def small_table(chance: np.random.Generator) -> Microdata:
    columns = [Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(chance.integers(0, 4, 14))) for name in ("a", "b")]
    return Microdata((*columns, Column.encode("ill", Role.SENSITIVE, pl.Series(chance.integers(0, 3, 14)))))


def read_answers(folder: Path) -> list[list[Any]]:
    """Read one file in each layout that has a kernel of its own."""
    (folder / "netflix.txt").write_text("7:\n300,5,2005-01-01\n301,1,2005-01-01\n4096:\n300,2,2005-01-01\n")
    (folder / "long.csv").write_text('user,item,rating\nx,"a,b",3\ny,c,5\nx,c,1\nx,c,2\n')
    schemas = {"netflix.txt": RatingsSchema(layout="netflix", scale=(1, 5)), "long.csv": RatingsSchema(scale=(1, 5))}
    published = []
    for name, schema in schemas.items():
        records: Records = read(folder / name, schema, duplicates="last").records
        assert isinstance(records, Ratings)
        users, items = (words.values.to_list() for words in (records.users, records.observable.items))
        published.append([name, users, items, records.observable.dense().tolist()])
    return published


def test_the_answers_are_the_same_without_compiling(tmp_path):
    script = (
        "import sys, json, warnings\n"
        "from pathlib import Path\n"
        "warnings.simplefilter('ignore', RuntimeWarning)  # hashes wrap around\n"
        "import test_without_compiling as here\n"
        "print(json.dumps([here.answers(), here.read_answers(Path(sys.argv[1]))], default=str))\n"
    )
    paths = [str(Path(__file__).parent), *sys.path]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-c", script, str(tmp_path)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    compiled = json.loads(json.dumps([answers(), read_answers(tmp_path)], default=str))
    assert json.loads(ran.stdout) == compiled


def test_the_answers_are_not_all_the_same():
    """Nor are they empty: there are promises that hold and such that do not."""
    published = answers()
    held = {
        verdict[1]
        for key, verdicts in published.items()
        if key[-1] in "012" and "release" not in key
        for verdict in verdicts
    }
    assert held == {True, False}
    assert published["ratings released"]["average group size"] >= 3
