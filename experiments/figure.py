"""The plot of an experiment: ours as lines with their spread over seeds, the paper's stated values as marks."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl

from experiments.experiment import Experiment, Panel, Stated

__all__ = ["draw"]

_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5c5c5c", "#000000")
"""Distinguishable by most color-blind people (Okabe and Ito); markers differ as well."""
_MARKERS = "os^DvPX*"
_WIDTH, _HEIGHT = 4.6, 3.3
_PAPER = "#b00020"
_BESIDE = 3
"""So many panels lie in a row at most."""
_FEW = 6
"""So many settings are each marked on the axis; of more, round numbers."""


def draw(experiment: Experiment, table: pl.DataFrame, path: Path) -> None:
    """Draw every panel of an experiment into one SVG file."""
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "shoal"  # the same results give the same file
    rows = [(panel, _filtered(table, panel)) for panel in experiment.panels]
    columns = max(len(_values(part, panel.across)) for panel, part in rows)
    beside = columns == 1  # panels without parts lie side by side, two or three in a row
    wide = len(rows) if len(rows) <= _BESIDE else 2 if len(rows) % 2 == 0 else _BESIDE
    shape = (-(-len(rows) // wide), wide) if beside else (len(rows), columns)
    figure = Figure(figsize=(_WIDTH * shape[1], _HEIGHT * shape[0]), layout="constrained")
    axes = figure.subplots(*shape, squeeze=False)
    for place, (panel, part) in enumerate(rows):
        whole = part if panel.kind == "bar" else table  # a line has the same color in all panels
        names = [str(name) for name in _values(whole, panel.lines)]
        stated = [each for each in experiment.stated if each.panel == place]
        across, here_axes = _values(part, panel.across), axes.flat[place : place + 1] if beside else axes[place]
        for axis, value in zip(here_axes, across, strict=False):
            here = part.filter(pl.col(panel.across) == value) if panel.across in part.columns else part
            _panel(axis, panel, here, names, [each for each in stated if each.across in ("", str(value))])
            axis.set_title(str(value), fontsize=10)
        for axis in here_axes[len(across) :]:
            axis.set_visible(False)
    for axis in axes.flat[len(rows) :] if beside else ():
        axis.set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None, "Title": experiment.asks})


def _filtered(table: pl.DataFrame, panel: Panel) -> pl.DataFrame:
    for name, value in panel.where.items():
        table = table.filter(pl.col(name) == value)
    return table.drop_nulls([panel.x, panel.y])


def _values(table: pl.DataFrame, column: str) -> list[Any]:
    """Return the different values of a column in the order they occur; one empty one where there is no such column."""
    return table[column].unique(maintain_order=True).to_list() if column in table.columns else [""]


def _panel(axis: Any, panel: Panel, table: pl.DataFrame, names: Sequence[str], stated: Sequence[Stated]) -> None:
    bars = panel.kind == "bar"
    categories = [str(value) for value in _values(table, panel.x)]
    for number, name in enumerate(names):
        part = table if panel.lines not in table.columns else table.filter(pl.col(panel.lines).cast(pl.String) == name)
        if part.is_empty():
            continue
        found = part.group_by(panel.x, maintain_order=True).agg(
            pl.col(panel.y).mean().alias("mean"),
            pl.col(panel.y).min().alias("low"),
            pl.col(panel.y).max().alias("high"),
        )
        look = {"color": _COLORS[number % len(_COLORS)]}
        if bars:
            width = 0.8 / len(names)
            places = np.array([categories.index(str(value)) for value in found[panel.x]]) + (number + 0.5) * width - 0.4
            spread = np.vstack([found["mean"] - found["low"], found["high"] - found["mean"]])
            axis.bar(
                places,
                found["mean"],
                width,
                label=_line_name(panel, name),
                yerr=spread if spread.any() else None,
                **look,
            )
        else:
            found = found.sort(panel.x)
            axis.plot(
                found[panel.x],
                found["mean"],
                marker=_MARKERS[number % len(_MARKERS)],
                ms=4.5,
                label=_line_name(panel, name),
                **look,
            )
            axis.fill_between(found[panel.x], found["low"], found["high"], alpha=0.15, linewidth=0, **look)
    if bars:
        width = max(_TICKS // max(len(categories), 1), _TICK)
        axis.set_xticks(range(len(categories)), [fill(name, width) for name in categories], fontsize=8)
    elif len(categories) <= _FEW and table[panel.x].dtype.is_integer() and not panel.log_x:
        axis.set_xticks(table[panel.x].unique().to_list())
    for each in stated:
        _mark(axis, each, names, categories if bars else None)
    _label(axis, panel, direct=not bars and len(names) + len(stated) > 1)


def _line_name(panel: Panel, value: str) -> str:
    """Return what a line is called: a number says nothing by itself."""
    return f"{panel.lines} = {value}" if value.replace(".", "", 1).isdigit() else value


def _mark(axis: Any, stated: Stated, names: Sequence[str], categories: list[str] | None) -> None:
    place = names.index(stated.line) if stated.line in names else None
    color = _PAPER if place is None else _COLORS[place % len(_COLORS)]
    if not stated.x:
        axis.axhline(stated.y[0], color=color, linestyle="--", linewidth=1.2, label=f"paper: {stated.label}")
        return
    look: dict[str, Any] = {"linestyle": "none", "marker": "D", "label": f"paper: {stated.label}"}
    if categories is None:
        axis.plot(stated.x, stated.y, ms=8, mfc="none", mec=color, mew=1.6, **look)
        return
    beside = 0 if place is None else (place + 0.5) * 0.8 / len(names) - 0.4  # on the bar of its line
    there = [
        (categories.index(str(x)) + beside, y) for x, y in zip(stated.x, stated.y, strict=True) if str(x) in categories
    ]
    axis.plot([x for x, _ in there], [y for _, y in there], ms=6, mfc="white", mec="black", mew=1.2, **look)


def _label(axis: Any, panel: Panel, *, direct: bool) -> None:
    if panel.log_x:
        axis.set_xscale("log")
    if panel.log_y:
        axis.set_yscale("log")
    elif panel.from_zero:
        axis.set_ylim(bottom=min(0, axis.get_ylim()[0]))
    axis.set_xlabel(panel.x_label or panel.x)
    axis.set_ylabel(panel.y_label or panel.y)
    axis.grid(alpha=0.3)
    axis.spines[["top", "right"]].set_visible(False)
    if direct and len(axis.get_lines()) <= _MOST_DIRECT and not _crowded(axis):
        _at_the_ends(axis)
    elif panel.kind == "bar":
        lines = max(tick.get_text().count("\n") for tick in axis.get_xticklabels())
        below = (0.5, -0.17 - 0.08 * lines)
        axis.legend(fontsize=7.5, frameon=False, loc="upper center", bbox_to_anchor=below, ncols=2)
    elif axis.get_legend_handles_labels()[0]:
        axis.legend(fontsize=7.5, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)


_SAME_END = 0.03
_TICKS, _TICK = 60, 7
"""About how many characters the names of all categories may have in one line; and the fewest for each."""
_MOST_DIRECT = 7
"""More lines than that are named in a legend: labels at their ends would lie upon each other."""


def _crowded(axis: Any) -> bool:
    """Return whether three lines or more end in the same place, as they are drawn."""
    low, high = axis.get_ylim()
    bottom, top = (axis.transData.transform((1, value))[1] for value in (low, high))
    values = [max(float(line.get_ydata()[-1]), low) for line in axis.get_lines() if len(line.get_ydata())]
    ends = sorted(axis.transData.transform((1, value))[1] for value in values)
    return any(third - first < _SAME_END * (top - bottom) for first, third in zip(ends, ends[2:], strict=False))


def _at_the_ends(axis: Any) -> None:
    """Write the name of each line where it ends, moved apart where two would touch."""
    low, high = axis.get_ylim()
    scale = axis.transData
    ends = []
    for line in axis.get_lines():
        x, y = line.get_xdata(), line.get_ydata()
        if len(x) and not str(line.get_label()).startswith("_"):
            flat = line.get_transform() is not axis.transData and len(y) == 2 and y[0] == y[1]
            height = scale.transform((1, max(float(y[-1]), low)))[1]  # a logarithm has no place for 0
            ends.append(
                [
                    height,
                    str(line.get_label()),
                    line.get_color() if line.get_linestyle() != "None" else line.get_markeredgecolor(),
                    flat,
                ]
            )
    bottom, top = (scale.transform((1, value))[1] for value in (low, high))
    ends.sort(key=lambda end: end[0])
    least = 11.0
    for before, after in pairwise(ends):
        after[0] = max(after[0], before[0] + least)
    highest = top
    for end in reversed(ends):  # those that were moved beyond the top go down again, and push others before them
        end[0] = min(end[0], highest)
        highest = end[0] - least
    for height, name, color, _ in ends:
        place = (height - bottom) / (top - bottom)
        axis.annotate(
            name, (1.01, place), xycoords="axes fraction", color=color, fontsize=8, va="center", annotation_clip=False
        )
