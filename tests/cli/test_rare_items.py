"""Items that few people rated, from the terminal: what leaves does not name them, and does not depend on them."""

import json
from pathlib import Path

import numpy as np
import pytest

RARE = "an obscure film"
LOW, HIGH = "1", "5"
SCHEMA = 'kind = "ratings"\nlayout = "{}"\nscale = [1, 5]\n'


def ratings(rating: str) -> dict[str, dict[str, str]]:
    """Forty people who rated common items, one of them a rare item too, and eight who rated rare items alone."""
    rng = np.random.default_rng(1)
    people = {f"u{user}": {f"film {item}": str(rng.integers(1, 6)) for item in range(8)} for user in range(40)}
    people["u7"][RARE] = rating
    for alone in range(8):
        people[f"v{alone}"] = {f"{RARE} {alone}": "3"}
    return people


def long_file(folder: Path, rating: str) -> Path:
    lines = [f"{user},{item},{value}" for user, row in ratings(rating).items() for item, value in row.items()]
    file = folder / f"long-{rating}.csv"
    file.write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    file.with_suffix(".toml").write_text(SCHEMA.format("long"), encoding="utf-8")
    return file


def wide_file(folder: Path, rating: str) -> Path:
    people = ratings(rating)
    items = sorted({item for row in people.values() for item in row})
    lines = [",".join([user, *(row.get(item, "") for item in items)]) for user, row in people.items()]
    file = folder / f"wide-{rating}.csv"
    file.write_text("\n".join([",".join(["id", *items]), *lines]) + "\n", encoding="utf-8")
    file.with_suffix(".toml").write_text(SCHEMA.format("wide") + 'id = ["id"]\n', encoding="utf-8")
    return file


def published(run, file: Path, method: str) -> Path:
    out, secret = file.with_suffix(""), file.with_name("secret.txt")
    # the same for both, so that nothing but the ratings differs
    secret.write_text(bytes(range(32)).hex(), encoding="ascii")
    ran = run(
        "publish", file, "--schema", file.with_suffix(".toml"), "-m", "k-anonymity:k=4", "--method", method,
        "--out", out, "--ledger", f"{out}-ledger", "--seed", 1, "--secret", secret, "--json",
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert "items have fewer than 4 raters and are left out" in json.loads(ran.out)["notes"][0]
    assert run("verify", out).status == 0
    return out


def profiles(release: Path) -> list[list[str]]:
    """Everything the data file says, without the names of records, which are drawn."""
    lines = (release / "data.csv").read_text(encoding="utf-8").splitlines()
    rows: dict[str, list[str]] = {}
    for line in lines[1:]:
        record, _, rest = line.partition(",")
        rows.setdefault(record, []).append(rest)
    return [[lines[0].partition(",")[2]], *sorted(rows.values())]


@pytest.mark.parametrize("method", ["predictive", "predictive:variant=simple", "predictive:boost=0.2"])
def test_a_release_neither_names_a_rare_item_nor_depends_on_how_it_was_rated(run, tmp_path, method) -> None:
    low, high = (published(run, long_file(tmp_path, rating), method) for rating in (LOW, HIGH))
    assert profiles(low) == profiles(high)
    for file in low.iterdir():
        assert RARE not in file.read_text(encoding="utf-8"), file.name


def test_a_question_that_few_answered_is_an_empty_column(run, tmp_path) -> None:
    low, high = (published(run, wide_file(tmp_path, rating), "predictive") for rating in (LOW, HIGH))
    assert profiles(low) == profiles(high)
    head, *rows = [line.split(",") for line in (low / "data.csv").read_text(encoding="utf-8").splitlines()]
    for name, *column in zip(head, *rows, strict=True):
        assert all(column) != name.startswith(RARE)
        assert any(column) != name.startswith(RARE)


def test_attacks_on_rare_items_are_run_and_reported(run, tmp_path) -> None:
    release = published(run, long_file(tmp_path, LOW), "predictive")
    ledger = f"{release}-ledger"
    found = json.loads(run("attack", release, "--ledger", ledger, "--json").out)["attacks"]
    rates = {each["attack"]: each for each in found if each["attack"].startswith("rare-")}
    assert set(rates) == {"rare-rater:fewest=1", "rare-rating:fewest=1,profile=outstanding"}
    assert all(each["main"] == pytest.approx(each["baseline"]) for each in rates.values())
    page = tmp_path / "report.html"
    assert run("report", release, "--ledger", ledger, "--out", page).status == 0
    assert "rare-rater" in page.read_text(encoding="utf-8")
