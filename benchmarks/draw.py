"""Draw the results of some of the benchmarks: python benchmarks/draw.py, after they have run."""

import json
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


def main() -> None:
    """Draw what has been measured."""
    if (RESULTS / "satisfaction_growth.json").exists():
        _growth(_points("satisfaction_growth"))


def _points(name: str) -> list[dict[str, Any]]:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["measured"]["points"]


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


def _save(figure: Any, name: str) -> None:
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
