"""Generated samples: whole households, weights that follow from the design, people of the population."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.data import Microdata, Role
from shoal.datasets import generate_sample, generate_table, write_generated
from shoal.datasets.generators.sample_model import SampleModel
from shoal.errors import WordingError


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 5), st.data())
def test_a_sample_is_of_whole_households_and_its_weights_follow_from_the_design(rows, strata, data):
    sample = data.draw(st.integers(min(strata, rows), rows))
    strata = min(strata, sample)
    model = SampleModel.draw(rows, sample, strata, data.draw(st.integers(0, 2**60)))
    everybody, drawn = model.everybody(), pl.concat(list(model.frames()))
    assert len(drawn) == model.lines
    assert drawn.equals(everybody[model.drawn])
    assert everybody["household"].value_counts()["count"].to_numpy().max() <= 5
    inside = everybody["household"].is_in(drawn["household"].unique().implode())
    assert len(drawn) == inside.sum(), "with a household, all of its people are drawn"
    households = [frame.group_by("region").agg(pl.col("household").n_unique()) for frame in (everybody, drawn)]
    for region, there, chosen in households[0].join(households[1], on="region").iter_rows():
        weights = drawn.filter(pl.col("region") == region)["weight"]
        np.testing.assert_allclose(weights, there / chosen)


def test_the_population_is_the_generated_table():
    model = SampleModel.draw(70_000, 500, 4, 3)
    people = model.everybody()
    names = list(generate_table(10, 3).names)
    assert people.select(names).head(10).equals(generate_table(70_000, 3).frame().select(names).head(10))
    assert 400 < model.lines < 600
    assert abs(generate_sample(70_000, 500, 4, 3)["weight"].values.sum() / 70_000 - 1) < 0.15


def test_small_regions_are_drawn_more_densely():
    drawn = generate_sample(50_000, 2_000, 6, 1)
    by_region = drawn.frame().group_by("region").agg(pl.col("weight").first()).sort("region")
    assert by_region["weight"].is_sorted(descending=True)


def test_a_written_sample_is_read_by_its_schema(tmp_path: Path):
    schema = write_generated("sample", tmp_path / "some.csv", rows=5_000, sample=200, strata=3, seed=1)
    table = shoal.read(tmp_path / "some.csv", schema).records
    assert isinstance(table, Microdata)
    assert [column.name for column in table.with_role(Role.STRATUM)] == ["region"]
    assert table.weights is not None
    assert table.households is not None
    assert (tmp_path / "some.sex.csv").exists()


@pytest.mark.parametrize(("sample", "strata"), [(11, 1), (0, 1), (5, 6), (5, 0)])
def test_a_sample_cannot_be_larger_than_its_population(sample, strata):
    with pytest.raises(WordingError, match="cannot be generated"):
        generate_sample(10, sample, strata, 1)
