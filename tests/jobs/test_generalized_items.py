"""Sets whose items are generalized, from the file to the release and back beside the originals."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.data import Ratings
from shoal.errors import FileError, HierarchyError, SchemaError, WordingError
from shoal.io import RatingsSchema, read
from shoal.io.folders.ledger import read_ledger
from shoal.jobs.release_and_truth import ReleaseAndTruth
from shoal.plan import Plan

LEVELS = {
    "tea": "drinks",
    "milk": "drinks",
    "ale": "drinks",
    "bread": "food",
    "rice": "food",
    "plum": "food",
}
HELD = [{"tea", "bread"}] * 6 + [{"milk", "rice"}, {"ale", "bread"}, {"tea"}, {"milk", "tea", "plum"}, {"rice"}]
TOML = 'kind = "sets"\nlayout = "long"\nuser = "user"\nitem = "item"\nhierarchy = "items.csv"\n'


def shop(folder: Path, *, lines: dict[str, str] = LEVELS, more: str = "") -> Path:
    rows = [f"p{number},{item}" for number, some in enumerate(HELD) for item in sorted(some)]
    (folder / "shop.csv").write_text("\n".join(["user,item", *rows]) + "\n")
    (folder / "items.csv").write_text("".join(f"{item};{label};*\n" for item, label in lines.items()))
    (folder / "shop.schema.toml").write_text(more + TOML)
    return folder / "shop.csv"


@pytest.fixture
def released(tmp_path) -> Path:
    data = str(shop(tmp_path))
    shoal.publish(
        Plan.of(
            data=data,
            models=["km-anonymity:k=3,m=2"],
            method="item-generalization",
            out=str(tmp_path / "release"),
            ledger=str(tmp_path / "ledger"),
        )
    )
    return tmp_path


def test_the_release_has_labels_and_no_hierarchy_and_is_verified(released):
    records = read(released / "release").records
    assert isinstance(records, Ratings)
    assert records.hierarchy is None
    assert set(records.observable.items.values) == {"drinks", "food"}
    assert "hierarchy" not in (released / "release/schema.toml").read_text()
    assert shoal.verify(released / "release", ledger=released / "ledger").holds


def test_the_ledger_keeps_the_hierarchy_and_every_record_stands_for_its_own_items(released):
    truth = read_ledger(released / "ledger").original
    assert isinstance(truth, Ratings)
    assert truth.hierarchy is not None
    assert truth.hierarchy.height == 2
    pair = ReleaseAndTruth.read(released / "release", released / "ledger")
    assert isinstance(pair.published, Ratings)
    assert isinstance(pair.original, Ratings)
    names = pair.published.observable.items.values.to_list()
    own = pair.original.users.values.to_list()
    for row, origin in enumerate(pair.origins):
        published = {names[i] for i in np.flatnonzero(pair.published.observable.dense()[row] >= 0)}
        assert published == {LEVELS[item] for item in HELD[int(own[origin][1:])]}


def test_measures_count_items_as_people_had_them_and_price_labels_by_their_leaves(released):
    values = shoal.measure(released / "release", released / "ledger", everything=True)
    given = sum(map(len, HELD))
    assert values.measures["cells changed"] == given
    assert values.measures["ratings dropped"] == values.measures["ratings invented"] == 0
    assert values.measures["ratings kept"] == 1
    assert values.measures["cells kept"] == 0
    for name in ("normalized certainty penalty", "rating loss", "distortion per cell"):
        assert values.measures[name] == pytest.approx(3 / 6)
    assert values.measures["distortion"] == pytest.approx(given * 3 / 6)
    assert "generalized" in values.reasons["item popularity correlation"]


def test_records_of_generalized_items_are_not_called_exactly_original(tmp_path):
    plan = {"models": ["km-anonymity:k=3,m=1"], "out": str(tmp_path / "release"), "warn_unique": "0"}
    result = shoal.publish(Plan.of(data=str(shop(tmp_path)), method="item-generalization", **plan))
    labels = [frozenset(LEVELS[item] if LEVELS[item] == "food" else item for item in some) for some in HELD]
    assert result.unique == "unique, and original but for generalized items"
    assert 0 < result.original_and_unique < 1
    assert len(set(labels)) < len(HELD)
    assert not any("exactly original" in warning for warning in result.warnings)
    assert any("unique, and original but for" in warning for warning in result.warnings)
    assert "unique" not in result.to_json()
    exactly = shoal.publish(
        Plan.of(data=str(tmp_path / "shop.csv"), method="item-suppression", **{**plan, "out": str(tmp_path / "other")})
    )
    assert exactly.unique == "exactly original and unique"


def test_an_attack_knows_the_labels_that_stand_for_items(released):
    found = shoal.attack(released / "release", ledger=released / "ledger", wordings=["structure:items=2"], seed=1)
    (finding,) = found.findings
    assert finding.details["fewest_candidates"] >= 3
    assert finding.details["without_candidates"] == 0
    with pytest.raises(FileError, match="cannot be joined"):
        shoal.attack(
            released / "release",
            ledger=released / "ledger",
            wordings=["intersection"],
            also=[(released / "release", released / "ledger")],
        )


def test_lookup_takes_labels_and_says_that_items_are_not_there(released):
    me = pl.DataFrame({"item": ["drinks", "food"]})
    assert shoal.lookup(released / "release", me).fits[0].records == sum(
        {LEVELS[item] for item in some} == {"drinks", "food"} for some in HELD
    )
    with pytest.raises(WordingError, match="own names"):
        shoal.lookup(released / "release", pl.DataFrame({"item": ["tea"]}))


def test_a_method_that_keeps_items_is_not_disturbed_by_a_hierarchy(tmp_path):
    plan = {"models": ["km-anonymity:k=2,m=2"], "method": "item-suppression", "out": str(tmp_path / "release")}
    shoal.publish(Plan.of(data=str(shop(tmp_path)), ledger=str(tmp_path / "ledger"), **plan))
    report = json.loads((tmp_path / "ledger/report.json").read_text())
    assert report["cells changed"] == 0
    assert report["ratings dropped"] > 0
    assert ReleaseAndTruth.read(tmp_path / "release", tmp_path / "ledger").exact is None


def test_an_item_without_a_line_is_refused(tmp_path):
    few = {item: label for item, label in LEVELS.items() if item != "plum"}
    with pytest.raises(HierarchyError, match="misses 1 of the 6 values"):
        read(shop(tmp_path, lines=few))


def test_a_label_that_names_a_sensitive_item_is_refused(tmp_path):
    lines = {item: "plum" if label == "food" else label for item, label in LEVELS.items() if item != "plum"}
    with pytest.raises(HierarchyError, match="sensitive"):
        read(shop(tmp_path, lines=lines, more='sensitive = ["plum"]\n'))


def test_only_sets_have_a_hierarchy_of_items():
    with pytest.raises(SchemaError, match="for sets"):
        RatingsSchema(kind="ratings", hierarchy="items.csv")


def test_generated_baskets_have_a_hierarchy_that_is_read(tmp_path):
    from shoal.datasets import generate_baskets, write_generated

    sizes = {"people": 30, "items": 25, "purchases": 100, "seed": 1, "hierarchy": True}
    write_generated("baskets", tmp_path / "made.csv", **sizes)
    records, made = read(tmp_path / "made.csv").records, generate_baskets(**sizes)
    assert isinstance(records, Ratings)
    assert records.hierarchy is not None
    assert made.hierarchy is not None
    assert records.hierarchy.n_leaves == made.hierarchy.n_leaves == 25
    assert len(made.hierarchy.labels[1]) == 3
