"""Every experiment of the papers runs on a few generated records, decides its claims, and has a page that is true."""

import re
from pathlib import Path

import pytest

from experiments.catalog import experiments
from experiments.experiment import FULL, QUICK, TINY, Experiment, Verdict
from experiments.figure import draw
from experiments.pages import DOCS, best_results, index_page, page, page_path
from experiments.results import Results
from experiments.run import measure_point

EVERY = list(experiments().values())


@pytest.mark.parametrize("experiment", EVERY, ids=lambda each: each.id)
def test_it_runs_on_a_tiny_sample(experiment: Experiment, tmp_path: Path) -> None:
    results = Results.read(experiment, TINY, tmp_path)
    results.begin()
    for point in experiment.grid(TINY):
        results.keep(point, *measure_point(experiment.id, point))
    assert results.complete
    table = results.table()
    for panel in experiment.panels:
        assert {panel.x, panel.y} <= set(table.columns)
        assert table.drop_nulls([panel.x, panel.y]).height > 0
    for claim in experiment.claims:
        assert claim.test(table).numbers
    assert experiment.verdict(table) in Verdict
    draw(experiment, table, tmp_path / "plot.svg")
    assert experiment.asks in page(experiment, results)
    again = Results.read(experiment, TINY, tmp_path)
    assert again.complete
    assert again.table().equals(table)


@pytest.mark.parametrize("experiment", EVERY, ids=lambda each: each.id)
def test_its_description_is_whole(experiment: Experiment) -> None:
    assert experiment.asks.endswith("?")
    assert experiment.claims
    assert experiment.why
    assert experiment.parameters
    for size in (FULL, QUICK, TINY):
        keys = [point.key for point in experiment.grid(size)]
        assert len(set(keys)) == len(keys) > 0
    for stated in experiment.stated:
        assert stated.panel < len(experiment.panels)
        assert len(stated.y) == (len(stated.x) or 1)


@pytest.mark.parametrize("experiment", EVERY, ids=lambda each: each.id)
def test_its_page_shows_what_was_measured(experiment: Experiment) -> None:
    results = best_results(experiment)
    assert results is not None, "python -m experiments --quick"
    path = page_path(experiment)
    assert path.read_text(encoding="utf-8") == page(experiment, results), "python -m experiments --pages"
    assert path.with_suffix(".svg").exists()


def test_the_index_is_up_to_date() -> None:
    index = index_page()
    assert (DOCS / "index.md").read_text(encoding="utf-8") == index, "python -m experiments --pages"
    assert len(re.findall(r"^\| 00\d-", index, flags=re.MULTILINE)) == len(EVERY)
