"""The limits of a table: the best parameters that it meets, in memory and on disk."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from people_on_disk import people
from shoal.errors import WordingError

SCHEMA = {"age": "quasi-identifier", "town": "quasi-identifier", "disease": "sensitive"}
rows = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.sampled_from("xyz")), min_size=4, max_size=30)


@settings(max_examples=40, deadline=None)
@given(rows=rows)
def test_limits_of_a_table_are_those_of_its_classes(rows, tmp_path_factory) -> None:
    file = tmp_path_factory.mktemp("table") / "table.parquet"
    pl.DataFrame(rows, schema=["age", "town", "disease"], orient="row").write_parquet(file)
    local, streamed = (shoal.limits(file, schema=SCHEMA, engine=engine) for engine in ("local", "stream"))
    assert local.reached == streamed.reached
    classes = defaultdict(list)
    for age, town, disease in rows:
        classes[age, town].append(disease)
    everybody = Counter(disease for *_, disease in rows)
    assert local.reached["k"] == min(map(len, classes.values()))
    assert local.reached["l"] == min(len(set(each)) for each in classes.values())
    farthest = max(
        sum(abs(Counter(each)[value] / len(each) - n / len(rows)) for value, n in everybody.items()) / 2
        for each in classes.values()
    )
    assert local.reached["t"] == pytest.approx(farthest, abs=2e-6)
    for letter, wording in (("k", "k-anonymity:k"), ("l", "l-diversity:l")):
        if local.reached[letter] >= 2:
            assert shoal.check(file, f"{wording}={local.reached[letter]}", SCHEMA).holds
        if local.reached[letter] < len(rows):
            assert not shoal.check(file, f"{wording}={local.reached[letter] + 1}", SCHEMA).holds


def test_without_a_sensitive_column_there_is_a_k_alone(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    schema["columns"]["disease"] = "drop"
    found = shoal.limits(file, schema=schema)
    assert found.reached == {"k": 3}
    assert str(found.promise) == "k-anonymity:k=3"
    assert json.loads(json.dumps(found.to_json()))["k"] == 3
    assert "no l" in repr(found)


def test_a_table_takes_nothing_that_is_given_and_ratings_need_it(tmp_path: Path) -> None:
    file, schema = people(tmp_path)
    with pytest.raises(WordingError, match="table"):
        shoal.limits(file, {"k": 2}, schema)
    ratings = pl.DataFrame({"user": ["a", "b"], "item": ["x", "x"], "rating": [1, 2]})
    with pytest.raises(WordingError, match="Nothing is given"):
        shoal.limits(ratings, {}, {"kind": "ratings", "scale": [1, 5]})
