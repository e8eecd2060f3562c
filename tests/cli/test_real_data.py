"""The commands on real data, against brute force."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.shared


def brute_force_others(values: np.ndarray, epsilon: int) -> np.ndarray:
    """Count, for each row, the other rows that differ by at most ε everywhere; missing is −50, far from any rating."""
    n = len(values)
    others = np.empty(n, np.int64)
    for start in range(0, n, 50):
        block = values[start : start + 50]
        near = np.ones((len(block), n), bool)
        for column in range(values.shape[1]):
            near &= np.abs(block[:, column, None] - values[None, :, column]) <= epsilon
        others[start : start + 50] = near.sum(axis=1) - 1
    return others


def test_nobody_in_movielens_has_a_neighbor(run, shared_data: Path) -> None:
    ran = run("check", shared_data / "ratings/ml-100k/u.data", "-m", "k-epsilon:k=2,epsilon=1", "--json")
    published = json.loads(ran.out)
    assert ran.status == 1
    assert published["records"] == 943
    assert published["promises"][0]["violations"] == 943
    assert published["promises"][0]["level"] == {"k": 1}


@pytest.mark.parametrize(
    ("file", "separator", "null", "epsilons"),
    [
        ("surveys/turkiye-student-evaluation/turkiye-student-evaluation_generic.csv", ",", None, (0, 1, 2)),
        ("surveys/big5/data.csv", "\t", 0, (1,)),
    ],
)
def test_surveys_agree_with_brute_force(
    run, shared_data: Path, tmp_path: Path, file, separator, null, epsilons
) -> None:
    frame = pl.read_csv(shared_data / file, separator=separator, infer_schema_length=None)
    ignored = frame.columns[:5] if null is None else frame.columns[:7]
    values = frame.drop(ignored).select(pl.all().cast(pl.Int8, strict=False)).fill_null(-50).to_numpy().copy()
    if null is not None:
        values[values == null] = -50
    schema = tmp_path / "s.toml"
    marks = "" if null is None else f"null = [{null}]\n"
    schema.write_text(
        f'kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nignore = {json.dumps(ignored)}\n{marks}', encoding="utf-8"
    )
    for epsilon in epsilons:
        promise = f"k-epsilon:k=3,epsilon={epsilon}"
        published = json.loads(run("check", shared_data / file, "--schema", schema, "-m", promise, "--json").out)
        others = brute_force_others(values, epsilon)
        assert published["records"] == len(values)
        assert published["promises"][0]["violations"] == int((others < 2).sum())
        assert published["promises"][0]["level"] == {"k": int(others.min()) + 1}


@pytest.fixture
def adult(shared_data: Path, tmp_path: Path) -> tuple[Path, Path]:
    folder = shared_data / "tables/adult/arx"
    lines = ['kind = "table"']
    for name in (folder / "adult.csv").read_text(encoding="utf-8").splitlines()[0].split(";"):
        role = "sensitive" if name == "salary-class" else "quasi-identifier"
        lines += [f"[columns.{name}]", f'role = "{role}"']
        if role == "quasi-identifier":
            lines.append(f'hierarchy = "{folder / f"adult_hierarchy_{name}.csv"}"')
    schema = tmp_path / "adult.toml"
    schema.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "adult.csv", schema


def test_adult_agrees_with_brute_force(run, adult: tuple[Path, Path]) -> None:
    data, schema = adult
    asked = ("-m", "k-anonymity:k=5", "-m", "l-diversity:l=2")
    published = json.loads(run("check", data, "--schema", schema, *asked, "--json").out)
    groups: dict[tuple[str, ...], list[str]] = {}
    for line in data.read_text(encoding="utf-8").splitlines()[1:]:
        *known, secret = line.split(";")
        groups.setdefault(tuple(known), []).append(secret)
    assert published["promises"][0]["violations"] == sum(len(group) for group in groups.values() if len(group) < 5)
    assert published["promises"][1]["violations"] == sum(len(group) for group in groups.values() if len(set(group)) < 2)


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_adult_is_published_and_verified(run, adult: tuple[Path, Path], tmp_path: Path, mode: str) -> None:
    data, schema = adult
    asked = ("-m", "k-anonymity:k=5", "-m", "l-diversity:l=2,kind=distinct", "--method", f"mondrian:mode={mode}")
    ran = run("publish", data, "--schema", schema, *asked, "--out", tmp_path / "release", "--json")
    assert ran.status == 0
    published = json.loads(ran.out)
    assert published["records_out"] == 30_162
    assert published["groups"] > 1500
    assert run("verify", tmp_path / "release").status == 0
    groups: dict[tuple[str, ...], list[str]] = {}
    for _, *known, secret in pl.read_csv(tmp_path / "release/data.csv", infer_schema=False).iter_rows():
        groups.setdefault(tuple(known), []).append(secret)
    assert min(len(group) for group in groups.values()) >= 5
    assert min(len(set(group)) for group in groups.values()) >= 2
