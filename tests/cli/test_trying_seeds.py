"""Whoever knows the seed of a release, or tries them all, learns nothing of its order, its names or its groups."""

import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cli.files import open_desk, write_survey, write_table
from shoal.randomness import Randomness

SEED = 7
TABLES = [
    "none",
    "mondrian",
    "mondrian:mode=relaxed",
    "lattice",
    "top-down",
    "specialization",
    "decomposition:degree=1/2",
]
TABLES += ["microaggregation:passes=2", "microaggregation:method=mdav"]
RATINGS = ["none", "align", "align:rounds=0,groups=alike", "graph", "greedy-interval", "predictive"]
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


def replayed(seed: int, n: int) -> tuple[list[int], list[str]]:
    """Return the order and the names that a seed alone makes by the scheme of this library, written out here."""
    stream = hashlib.shake_256(f"shoal:permutation:{seed}".encode()).digest(8 * n)
    words = [int.from_bytes(stream[8 * i : 8 * i + 8], "little") for i in range(n)]
    letters = hashlib.shake_256(f"shoal:pseudonyms:0:{seed}".encode()).digest(16 * n)
    names = ["r" + "".join(LETTERS[byte & 31] for byte in letters[16 * i : 16 * i + 12]) for i in range(n)]
    return sorted(range(n), key=lambda i: (words[i], i)), sorted(names)


def test_the_oracle_makes_what_a_seed_alone_makes() -> None:
    order, names = replayed(SEED, 30)
    assert order == Randomness(SEED).permutation(30).tolist()
    assert names == Randomness(SEED).pseudonyms(30).astype(str).tolist()


def write_likes(folder: Path) -> Path:
    chance = np.random.default_rng(1)
    cells = [(user, item, chance.integers(1, 6)) for user in range(40) for item in range(8) if chance.random() < 0.7]
    lines = [f"user-{user:02d},film-{item},{rating}" for user, item, rating in cells]
    (folder / "likes.csv").write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    return folder / "likes.csv"


def asked(kind: str, method: str, folder: Path) -> tuple[object, ...]:
    """Return the words of a publication with a seed."""
    if kind == "table":
        data, schema = write_table(folder)
        model = "k-anonymity:k=1" if method == "none" else "k-anonymity:k=3"
    elif method == "predictive":
        data, schema, model = write_likes(folder), None, "k-anonymity:k=3"
    else:
        data, schema = write_survey(folder)
        model = "k-anonymity:k=2" if method in ("none", "greedy-interval", "graph") else "k-epsilon:k=5,epsilon=0"
    if model == "k-anonymity:k=1":
        model, method = "k-anonymity:k=2", "none"
        people = data.read_text(encoding="utf-8")
        twins = people.replace("Person", "Twin").splitlines()[1:]
        data.write_text(people + "\n".join(twins) + "\n", encoding="utf-8")
    if method in ("graph", "greedy-interval"):
        model = "k-epsilon:k=2,epsilon=1"
    described = () if schema is None else ("--schema", schema)
    return ("publish", data, *described, "-m", model, "--method", method, "--seed", SEED, "--withhold", "50%")


def links_of(ledger: Path) -> pl.DataFrame:
    return pl.read_parquet(ledger / "links.parquet")


@pytest.mark.parametrize(
    ("kind", "method"), [("table", each) for each in TABLES] + [("ratings", each) for each in RATINGS]
)
def test_trying_seeds_finds_neither_order_nor_pseudonyms(run, tmp_path: Path, kind: str, method: str) -> None:
    ran = run(*asked(kind, method, tmp_path), "--out", tmp_path / "o", "--ledger", tmp_path / "l")
    assert ran.status == 0, ran.err
    links = links_of(tmp_path / "l")
    names = links["pseudonym"].unique().sort().to_list()
    assert len(names) > 5
    rows = links.group_by("pseudonym").agg(pl.col("row").sort()).sort("pseudonym")["row"].to_list()
    for seed in (None, *range(SEED + 3)):
        order, found = replayed(seed, len(names))  # type: ignore[arg-type]
        assert not set(found) & set(names)
        originals = sorted(rows)
        assert [originals[place] for place in order] != rows


@pytest.mark.parametrize(
    ("kind", "method"), [("table", each) for each in TABLES] + [("ratings", each) for each in RATINGS]
)
def test_nothing_that_leaves_is_drawn_without_the_secret(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, method: str
) -> None:
    """Draws of methods too: with a seed alone, a reader could replay who began in which group."""
    drawn, real = [], Randomness.words
    monkeypatch.setattr(
        Randomness, "words", lambda self, n, purpose: drawn.append((purpose, self.secret)) or real(self, n, purpose)
    )
    assert run(*asked(kind, method, tmp_path), "--out", tmp_path / "o", "--ledger", tmp_path / "l").status == 0
    assert {"permutation", "pseudonyms:0"} <= {purpose for purpose, _ in drawn}
    assert all(secret is not None for _, secret in drawn)
    kept = bytes.fromhex((tmp_path / "l" / "secret.txt").read_text(encoding="ascii"))
    # a method draws by the secret, its own wording and the promises
    told = json.loads((tmp_path / "o" / "certificate.json").read_text(encoding="utf-8"))
    wording = " ".join([told["method"], *(each["promise"] for each in told["promises"])])
    bound = hashlib.shake_256(kept + b"bound:" + wording.encode()).digest(32)
    assert all(secret == bound for purpose, secret in drawn if purpose not in ("permutation", "pseudonyms:0"))


def test_a_request_at_the_desk_is_drawn_with_a_secret(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, schema = open_desk(run, tmp_path, monkeypatch)
    drawn, real = [], Randomness.words
    monkeypatch.setattr(
        Randomness, "words", lambda self, n, purpose: drawn.append(self.secret) or real(self, n, purpose)
    )
    files = (data, "--schema", schema, "--out", tmp_path / "o", "--ledger", tmp_path / "l")
    ran = run("desk", "request", "crowd", *files, "--requester", "ann", "--purpose", "first")
    assert ran.status == 0, ran.err
    assert drawn
    assert None not in drawn
    names = links_of(tmp_path / "l")["pseudonym"].to_list()
    for seed in (None, *range(10)):
        assert not set(names) & set(replayed(seed, len(names))[1])  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["align:invent_cost=1,drop_cost=9", "graph:invent_cost=1,drop_cost=9", "predictive"])
def test_neither_a_seed_nor_the_order_of_rows_tells_who_is_in_a_group_with_whom(
    run, tmp_path: Path, method: str
) -> None:
    """Here nothing tells one respondent from another, and nothing but chance decides who is grouped with whom."""
    lines = ["respondent," + ",".join(f"q{i:02d}" for i in range(12))]
    for i in range(12):
        rated = range(12) if method == "predictive" else [i]  # whom a group holds can be read off its items
        lines.append(f"resp-{i}," + ",".join("5" if j in rated else "" for j in range(12)))
    (tmp_path / "even.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "even.toml").write_text('kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["respondent"]\n')
    words = ("publish", tmp_path / "even.csv", "--schema", tmp_path / "even.toml", "-m", "k-epsilon:k=3,epsilon=0")
    found = set()
    for i in range(5):
        out, ledger = tmp_path / f"o{i}", tmp_path / f"l{i}"
        ran = run(*words, "--method", method, "--seed", SEED, "--out", out, "--ledger", ledger)
        assert ran.status == 0, ran.err
        published = pl.read_csv(out / "data.csv")
        joined = published.join(links_of(ledger), left_on=published.columns[0], right_on="pseudonym")
        told = published.columns[:1] if method == "predictive" else published.columns[1:]
        groups = joined.group_by(told).agg(pl.col("row").sort())["row"].to_list()
        assert len(groups) >= 3
        found.add(str(sorted(groups)))
    assert len(found) > 1


def test_the_certificate_and_schema_tell_neither_seed_nor_secret(run, tmp_path: Path) -> None:
    words = asked("table", "mondrian", tmp_path)
    ran = run(*words, "--out", tmp_path / "o", "--ledger", tmp_path / "l", "--json")
    secret = (tmp_path / "l" / "secret.txt").read_text(encoding="ascii").strip()
    assert len(secret) == 64
    assert secret not in ran.out + ran.err
    assert "secret" not in json.loads((tmp_path / "o" / "certificate.json").read_text(encoding="utf-8"))
    for file in (tmp_path / "o").iterdir():
        assert secret.encode() not in file.read_bytes()
        assert b"seed" not in file.read_bytes()
