"""Draw the results of the benchmarks of the satisfaction problem: python benchmarks/draw.py, after they have run."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "shoal"  # the same results give the same file

import matplotlib.pyplot as plt  # noqa: E402

RESULTS = Path(__file__).resolve().parent / "results"
LOOKS = {
    "auto": {"color": "#00639a", "marker": "o"},
    "slicing": {"color": "#c2571a", "marker": "s"},
    "pairwise": {"color": "#5c5c5c", "marker": "^"},
}
NAMES = {"seconds": "seconds", "mib": "memory taken, MiB"}


def main() -> None:
    """Draw what has been measured."""
    if (RESULTS / "satisfaction_figures.json").exists():
        points = _points("satisfaction_figures")
        for measure in NAMES:
            _figures(points, measure)
    if (RESULTS / "satisfaction_growth.json").exists():
        _growth(_points("satisfaction_growth"))


def _points(name: str) -> list[dict[str, Any]]:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["measured"]["points"]


def _figures(points: list[dict[str, Any]], measure: str) -> None:
    """One row a data set, one column a parameter."""
    data, sweeps = _distinct(p["data"] for p in points), _distinct(p["sweep"] for p in points)
    size = (3.1 * len(sweeps), 2.5 * len(data))
    figure, axes = plt.subplots(len(data), len(sweeps), figsize=size, sharey="row", squeeze=False, layout="constrained")
    for row, name in zip(axes, data, strict=True):
        for axis, sweep in zip(row, sweeps, strict=True):
            for search, look in LOOKS.items():
                here = [p for p in points if (p["data"], p["sweep"], p["search"]) == (name, sweep, search)]
                floor = 1e-4 if measure == "seconds" else 0.1  # a logarithm cannot show nothing
                axis.plot([p["value"] for p in here], [max(p[measure], floor) for p in here], label=search, **look)
            axis.set_yscale("log")
            axis.grid(alpha=0.3)
            axis.set_title(f"{name}: {sweep}", fontsize=10)
        row[0].set_ylabel(NAMES[measure])
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    _save(figure, f"satisfaction_figures_{measure}")


def _growth(points: list[dict[str, Any]]) -> None:
    figure, (dense, sparse) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for search, look in LOOKS.items():
        for epsilon, line in ((1, "-"), (2, "--")):
            here = [p for p in points if (p["data"], p["search"], p["epsilon"]) == ("dense", search, epsilon)]
            label = f"{search}, ε = {epsilon}"
            dense.plot([p["records"] for p in here], [p["seconds"] for p in here], line, label=label, **look)
    here = [p for p in points if p["data"] == "sparse"]
    users, seconds = [p["records"] for p in here], [p["seconds"] for p in here]
    sparse.plot(users, seconds, label="auto, ε = 1, from the file", **LOOKS["auto"])
    sparse.plot(users, [seconds[0] * n / users[0] for n in users], ":", color="#888888", label="linear growth")
    for axis, title in ((dense, "dense: respondents × 50 issues"), (sparse, "sparse: users with 209 ratings each")):
        axis.set(xscale="log", yscale="log", xlabel="records", ylabel="seconds", title=title)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    _save(figure, "satisfaction_growth")


def _distinct(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _save(figure: Any, name: str) -> None:
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
