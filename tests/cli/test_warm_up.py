"""``shoal warm-up``."""

import json

import numpy as np
import pytest

from shoal.anonymizers import methods
from shoal.jobs import warm_up as job
from shoal.kernels.compressed_rows import count_repeats


def test_every_method_is_warmed_up() -> None:
    assert {method.partition(":")[0] for _, method, _ in job._RELEASES} == {each.name for each in methods} - {"none"}


def test_every_step_can_be_taken(tmp_path) -> None:
    for step in job._steps(tmp_path):
        step()


@pytest.fixture
def one_step(monkeypatch) -> None:
    """To compile everything takes minutes: one kernel will do."""
    entries = np.array([0, 2]), np.array([3, 3], np.int32)
    monkeypatch.setattr(job, "_steps", lambda folder: [lambda: count_repeats(*entries)])


def test_what_was_compiled_is_counted_and_where_it_is_kept_is_said(run, one_step) -> None:
    first, again = (run("warm-up", "--json") for _ in range(2))
    assert first.status == again.status == 0
    assert json.loads(first.out)["kept_in"]
    assert json.loads(again.out)["compiled"] == 0
    assert "kept in" in run("warm-up").out


def test_parallel_kernels_are_compiled_for_several_threads_too(run, one_step) -> None:
    run("warm-up")
    assert count_repeats.threaded.signatures


def test_a_warm_up_that_cannot_be_kept_says_so(run, one_step, monkeypatch) -> None:
    monkeypatch.setattr("shoal.kernels.compiler.kept_in", lambda: None)
    ran = run("warm-up")
    assert ran.status == 0
    assert "They are not kept: no folder can be written to." in ran.err
