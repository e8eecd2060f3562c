"""Draw the results of some of the benchmarks: python benchmarks/draw.py, after they have run."""

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
VIEWS = {
    "mondrian": {"color": "#5c5c5c", "marker": "^"},
    "top-down": {"color": "#000000", "marker": "v"},
    "lattice": {"color": "#8a6fb0", "marker": "D"},
    "purpose": {"color": "#00639a", "marker": "o"},
    "thesis": {"color": "#c2571a", "marker": "s"},
    "desk": {"color": "#2e9e6b", "marker": "P"},
    "purpose, 2 % withheld": {"color": "#6db3d9", "marker": "o"},
    "thesis without k": {"color": "#d62728", "marker": "x", "linestyle": ":"},
}
MEASURED = {
    "discernability": "any",
    "normalized average group size": "any",
    "weighted discernability": "age first",
    "naive Bayes accuracy": "prediction",
    "decision tree accuracy": "prediction",
    "seconds": "prediction",
    "mib": "prediction",
}
"""What is drawn of purpose and trust, and for which question."""


def main() -> None:
    """Draw what has been measured."""
    if (RESULTS / "satisfaction_growth.json").exists():
        _growth(_points("satisfaction_growth"))
    if (RESULTS / "purpose_and_trust.json").exists():
        points, plain = _points("purpose_and_trust"), _measured("purpose_and_trust")["as_it_is"]
        _views(points, plain, "trust")
        _views(points, plain, "k")


def _points(name: str) -> list[dict[str, Any]]:
    return _measured(name)["points"]


def _measured(name: str) -> dict[str, Any]:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["measured"]


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


def _views(points: list[dict[str, Any]], plain: dict[str, Any], against: str) -> None:
    """One row a measure, one column a data set; gray lines are the table as it is, and guessing the commonest."""
    data = _distinct(p["data"] for p in points)
    size = (4.2 * len(data), 2.4 * len(MEASURED) + 0.6)
    figure, axes = plt.subplots(len(MEASURED), len(data), figsize=size, squeeze=False, layout="constrained")
    for row, (measure, question) in zip(axes, MEASURED.items(), strict=True):
        for axis, name in zip(row, data, strict=True):
            here = [p for p in points if (p["data"], p["question"]) == (name, question)]
            for label, look, curve in _by_trust(here) if against == "trust" else _by_k(here):
                axis.plot([p[against] for p in curve], [p[measure] for p in curve], label=label, **look)
            if measure in plain[name]:
                axis.axhline(plain[name][measure], color="#bbbbbb", linestyle="-", zorder=0)
                axis.axhline(plain[name]["majority"], color="#bbbbbb", linestyle="--", zorder=0)
            axis.set_yscale("linear" if "accuracy" in measure else "log")
            axis.set_xscale("log" if against == "k" else "linear")
            axis.set_xlabel(against)
            axis.set_title(f"{name}, {question}: {NAMES.get(measure, measure)}", fontsize=9)
            axis.grid(alpha=0.3)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=9)
    _save(figure, f"purpose_and_trust_by_{against}")


def _by_trust(points: list[dict[str, Any]]) -> Iterable[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Return the curves at k = 20; methods that know no trust are the same throughout."""
    for method, look in VIEWS.items():
        curve = [p for p in points if (p["method"], p["k"]) == (method, 20)]
        if "trust" in curve[0]:
            yield method, look, [p for p in curve if p["trust"] in (0, 0.25, 0.5, 0.75, 1)]
        else:
            yield method, look, [curve[0] | {"trust": trust} for trust in (0, 1)]


def _by_k(points: list[dict[str, Any]]) -> Iterable[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Return the curves of methods that know no trust, and those of two trusts."""
    for method, look in VIEWS.items():
        if curve := [p for p in points if p["method"] == method and "trust" not in p]:
            yield method, look, curve
        for trust, line in ((0.2, "--"), (0.8, "-")):
            if curve := [p for p in points if (p["method"], p.get("trust")) == (method, trust)]:
                yield f"{method}, trust {trust}", look | {"linestyle": line}, curve


def _distinct(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _save(figure: Any, name: str) -> None:
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
