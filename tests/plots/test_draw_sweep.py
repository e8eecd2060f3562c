"""Plots of sweeps: one figure a measure, every release in it, and no surprises on the way."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.errors import FileError, MissingExtraError
from shoal.plots import draw_sweep, plot_folder
from shoal.plots.draw_sweep import _figure

COLORS = {"align": "#0072b2", "graph:strategy=centroid": "#d55e00"}


def frame(ks=(2, 5, 20), epsilons=(0.0, 1.0), **more) -> pl.DataFrame:
    rows = [
        {"method": method, "k": k, "epsilon": epsilon, "distortion": 10.0 * k, "records withheld": 0, "note": "fine"}
        for method in COLORS
        for k in ks
        for epsilon in epsilons
    ]
    named = {"m": pl.lit(None, pl.Float64), **more}
    return pl.DataFrame(rows, schema_overrides={"epsilon": pl.Float64}).with_columns(**named)


def labels(figure) -> set[str]:
    legends = [*figure.legends, *(panel.get_legend() for panel in figure.axes if panel.get_legend() is not None)]
    return {text.get_text() for legend in legends for text in legend.get_texts()}


def test_every_measure_gets_a_figure(tmp_path: Path) -> None:
    files = draw_sweep(frame(), tmp_path / "deep" / "plots")
    assert [file.name for file in files] == ["distortion.svg", "records-withheld.svg"]
    assert all(file.read_text(encoding="utf-8").startswith("<?xml") for file in files)


@pytest.mark.parametrize(
    ("ks", "epsilons", "letters"),
    [
        ((2, 5), (0.0, 1.0), ["k", "ε"]),
        ((2, 5), (1.0,), ["k"]),
        ((2,), (0.0, 1.0), ["ε"]),
        ((2,), (1.0,), ["k"]),
        ((2, 5), (None,), ["k"]),
    ],
)
def test_there_is_a_panel_for_each_parameter_that_changes(ks, epsilons, letters) -> None:
    figure = _figure(frame(ks, epsilons), "distortion", COLORS, "ratings")
    assert [panel.get_xlabel() for panel in figure.axes] == letters
    assert figure.axes[0].get_ylabel() == "rating points"


def test_what_differs_in_m_is_drawn_against_m() -> None:
    figure = _figure(frame((2, 5), (None,), m=pl.Series([1.0, 2.0] * 2)), "distortion", COLORS, "ratings")
    assert [panel.get_xlabel() for panel in figure.axes] == ["k", "m"]
    assert labels(figure) == {"align", "graph", "m = 1", "m = 2", "k = 2", "k = 5"}


def test_every_release_is_in_every_panel() -> None:
    figure = _figure(frame(), "distortion", COLORS, "ratings")
    by_k, by_epsilon = ([np.asarray(line.get_xdata()).tolist() for line in panel.get_lines()] for panel in figure.axes)
    assert by_k == [[2, 5, 20]] * 4
    assert by_epsilon == [[0, 1]] * 6
    assert labels(figure) == {"align", "graph", "ε = 0", "ε = 1", "k = 2", "k = 5", "k = 20"}


def test_a_table_has_no_epsilon(tmp_path: Path) -> None:
    figure = _figure(frame(epsilons=(None,)), "distortion", COLORS, "ratings")
    assert [np.asarray(line.get_ydata()).tolist() for line in figure.axes[0].get_lines()] == [[20, 50, 200]] * 2
    assert labels(figure) == {"align", "graph"}
    assert draw_sweep(frame(epsilons=(None,)).drop("epsilon"), tmp_path)


def test_methods_of_one_name_are_told_apart_by_their_settings() -> None:
    methods = {"graph:strategy=centroid": "#0072b2", "graph:strategy=interval": "#d55e00"}
    both = frame().with_columns(pl.col("method").replace("align", "graph:strategy=interval"))
    assert methods.keys() <= labels(_figure(both, "distortion", methods, None))


def test_what_was_before_is_a_gray_line_beside_what_is_after(tmp_path: Path) -> None:
    accuracy = {"naive Bayes accuracy": pl.lit(0.4), "naive Bayes accuracy before": pl.lit(0.9)}
    shown = frame().with_columns(**accuracy)
    figure = _figure(shown, "naive Bayes accuracy", COLORS, "ratings")
    before = [line for line in figure.axes[0].get_lines() if set(np.asarray(line.get_ydata()).tolist()) == {0.9}]
    assert {line.get_color() for line in before} == {"#9a9a9a"}
    assert "before" in labels(figure)
    assert figure.axes[0].get_ylim()[1] > 0.9
    assert "naive-Bayes-accuracy-before.svg" not in [file.name for file in draw_sweep(shown, tmp_path)]


def test_what_a_release_does_not_have_is_not_drawn(tmp_path: Path) -> None:
    cost = pl.when(pl.col("method") == "align").then(pl.col("k") * 2.0)
    gaps = frame().with_columns(cost.alias("cost"), pl.lit(None, pl.Float64).alias("centroid shift"))
    assert "centroid-shift.svg" not in [file.name for file in draw_sweep(gaps, tmp_path)]
    drawn = _figure(gaps.drop_nulls("cost"), "cost", COLORS, "ratings").axes[0].get_lines()
    assert {line.get_color() for line in drawn} == {COLORS["align"]}


def test_the_same_numbers_give_the_same_file(tmp_path: Path) -> None:
    one, other = (draw_sweep(frame(), tmp_path / name)[0].read_bytes() for name in "ab")
    assert one == other


def test_pictures_can_be_png(tmp_path: Path) -> None:
    assert draw_sweep(frame(), tmp_path, form="png")[0].read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(FileError, match="cannot be created"):
        plot_folder(tmp_path / "file").__enter__()


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"shoal\[plots\]"):
        draw_sweep(frame(), tmp_path / "plots")
    assert not (tmp_path / "plots").exists()
