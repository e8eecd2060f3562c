"""Plots of a sweep: the measures of several releases against k, ε and m, one figure per measure."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from shoal.errors import FileError, MissingExtraError, WriteError
from shoal.utility import MEASURES

__all__ = ["draw_sweep", "plot_folder"]


if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_LETTERS = {"k": "k", "epsilon": "ε", "m": "m"}
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d00", "#5c5c5c")
"""Distinguishable by most color-blind people (Okabe and Ito); one per method."""
_STYLES = (
    ("o", "-"),
    ("s", "--"),
    ("^", ":"),
    ("D", "-."),
    ("v", (0, (7, 2))),
    ("P", (0, (1, 2))),
    ("X", (0, (4, 1, 1, 1))),
)
"""One per value of the other parameters."""
_BEFORE, _GREY = " before", "#9a9a9a"
_WIDTH, _HEIGHT = 4.4, 3.8
_LETTERS_A_PANEL = 60
"""How many letters of a legend fit below one panel."""


def draw_sweep(
    frame: pl.DataFrame, folder: str | Path, *, kind: str | None = None, form: Literal["svg", "png"] = "svg"
) -> list[Path]:
    """Draw every measure of releases against k, ε and m, and return the files.

    A row of the frame is a release with its ``method`` (text), ``k``, ``epsilon`` and ``m`` (which may be null or
    missing where there is none); every other numeric column is a measure, null where there is none. A parameter that
    never changes gets no panel of its own, and a measure ``… before`` is drawn in gray beside the one after. ``kind``
    is that of the records, where all releases have the same: it decides units.
    """
    absent = [letter for letter in _LETTERS if letter not in frame.columns]
    frame = frame.with_columns(pl.lit(None, pl.Float64).alias(letter) for letter in absent)
    measures = [name for name in frame.columns if name not in ("method", *_LETTERS) and frame[name].dtype.is_numeric()]
    drawn = [name for name in measures if frame[name].is_not_null().any() and _after(name) not in measures]
    colors = dict(zip(_distinct(frame["method"]), cycle(_COLORS), strict=False))
    with plot_folder(folder) as made:
        return [
            _save(_figure(frame.drop_nulls(name), name, colors, kind), made / f"{name.replace(' ', '-')}.{form}")
            for name in drawn
        ]


def _after(measure: str) -> str | None:
    return measure.removesuffix(_BEFORE) if measure.endswith(_BEFORE) else None


def _figure(frame: pl.DataFrame, measure: str, colors: dict[str, str], kind: str | None) -> "Figure":
    """Draw one panel for each parameter that changes."""
    from matplotlib.figure import Figure

    across = [letter for letter in _LETTERS if frame[letter].drop_nulls().n_unique() > 1] or ["k"]
    figure = Figure(figsize=(_WIDTH * len(across) + 0.6, _HEIGHT), layout="constrained")
    panels = figure.subplots(1, len(across), sharey=True, squeeze=False)[0]
    for panel, letter in zip(panels, across, strict=True):
        _draw(panel, frame, measure, letter, colors)
    highest = [frame[name].max() for name in (measure, measure + _BEFORE) if name in frame.columns]
    panels[0].set_ylim(0, 1.08 * max(float(each) for each in highest if isinstance(each, int | float)) or 1)
    panels[0].yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    panels[0].set_ylabel(_label(measure, kind))
    figure.suptitle(measure, fontsize=11)
    _add_methods(figure, colors, _LETTERS_A_PANEL * len(across), before=measure + _BEFORE in frame.columns)
    return figure


def _draw(panel: "Axes", frame: pl.DataFrame, measure: str, across: str, colors: dict[str, str]) -> None:
    """Draw a line for each method and for the values of the parameters that are not the x axis."""
    others = [letter for letter in _LETTERS if letter != across]
    frame = frame.drop_nulls(across).sort(across)
    styles = dict(zip(frame.select(others).unique().sort(others).iter_rows(), cycle(_STYLES), strict=False))
    if measure + _BEFORE in frame.columns:
        for values, here in frame.group_by(others, maintain_order=True):
            before = here.unique(across, keep="first", maintain_order=True)  # it does not depend on the method
            line = styles[values][1]
            panel.plot(before[across], before[measure + _BEFORE], color=_GREY, linestyle=line, linewidth=3)
    for (method, *values), here in frame.group_by("method", *others, maintain_order=True):
        marker, line = styles[tuple(values)]
        look = {"color": colors[method], "marker": marker, "linestyle": line}
        panel.plot(here[across], here[measure], markersize=4.5, **look)
    ticks = _distinct(frame[across])
    if across == "k" and len(ticks) > 1:
        panel.set_xscale("log")  # 2, 3, 5, 60: on a linear scale the small ones would overlap
    panel.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    panel.set_xticks([], minor=True)
    panel.set_xlabel(_LETTERS[across])
    panel.grid(alpha=0.25)
    named = {_in_words(dict(zip(others, values, strict=True))): style for values, style in styles.items()}
    if any(named):
        _add_values(panel, named)


def _in_words(values: dict[str, float | None]) -> str:
    return ", ".join(f"{_LETTERS[letter]} = {value:g}" for letter, value in values.items() if value is not None)


def _add_values(panel: "Axes", styles: dict[str, Any]) -> None:
    """Add the legend of the other parameters' values beside a panel."""
    from matplotlib.lines import Line2D

    entries = [
        Line2D([], [], color="#404040", marker=marker, linestyle=line, markersize=4.5, label=label)
        for label, (marker, line) in styles.items()
        if label
    ]
    panel.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)


def _add_methods(figure: "Figure", colors: dict[str, str], width: int, *, before: bool) -> None:
    """Add the legend of methods below the panels: by name, where names differ."""
    from matplotlib.lines import Line2D

    names = [method.partition(":")[0] for method in colors]
    labels = names if len(set(names)) == len(names) else [*colors]
    shown = [*zip(labels, colors.values(), strict=True), *([("before", _GREY)] if before else [])]
    entries = [Line2D([], [], color=color, linewidth=3, label=label) for label, color in shown]
    columns = max(1, min(len(shown), width // max(len(label) + 6 for label, _ in shown)))
    figure.legend(handles=entries, loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def _distinct(values: pl.Series) -> list[Any]:
    return values.unique().sort().to_list()


def _label(measure: str, kind: str | None) -> str:
    return MEASURES[measure].unit_for(kind) if measure in MEASURES else measure


def _save(figure: "Figure", file: Path) -> Path:
    import matplotlib as mpl

    metadata = {"Date": None} if file.suffix == ".svg" else {}
    try:
        with mpl.rc_context({"svg.hashsalt": "shoal"}):  # the same numbers give the same file
            figure.savefig(file, dpi=150, metadata=metadata)
    except BaseException as error:
        file.unlink(missing_ok=True)  # an incomplete picture looks like a whole one until somebody opens it
        if isinstance(error, OSError):
            raise WriteError(file, error) from None
        raise
    return file


@contextmanager
def plot_folder(folder: str | Path) -> Iterator[Path]:
    """Make sure that the folder exists and matplotlib is installed: before the long work, not after it.

    Folders that were created are removed again if the work fails.
    """
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError:
        raise MissingExtraError("Plots need the extra part 'plots'.", "Run: pip install 'shoal[plots]'") from None
    folder = Path(folder)
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise FileError(f"The folder {folder} for the plots cannot be created.", "Choose another one.") from None
        yield folder
    except BaseException:
        with suppress(OSError):  # one that is not empty stays
            for each in made:
                each.rmdir()
        raise
