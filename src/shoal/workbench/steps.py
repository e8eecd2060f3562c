"""The way from a file to a release: its steps, in order, and where each is."""

from dataclasses import dataclass

__all__ = ["STEPS", "Step", "steps"]


@dataclass(frozen=True)
class Step:
    """A step of the way."""

    name: str
    title: str
    address: str
    """Where it is; empty where it cannot be taken yet."""
    current: bool


STEPS = (
    ("open", "Open"),
    ("look", "Look"),
    ("columns", "Columns"),
    ("risk", "Risk as it stands"),
    ("promise", "Promise"),
    ("explore", "Explore"),
    ("publish", "Publish"),
    ("proof", "Proof"),
    ("use", "Attack and use"),
    ("report", "Report"),
)
"""Every step by name and title."""

_OF_RELEASE = ("proof", "use", "report")


def steps(
    current: str, dataset: str | None, *, query: str = "", release: str | None = None, ready: bool = True
) -> tuple[Step, ...]:
    """Return all steps; ``ready``: whether the data set has a schema, without which nothing can be judged.

    ``query`` is what was chosen, which goes along. Steps after publishing are those of one release.
    """
    return tuple(
        Step(name, title, _address(name, dataset, query, release, ready=ready), name == current)
        for name, title in STEPS
    )


def _address(name: str, dataset: str | None, query: str, release: str | None, *, ready: bool) -> str:
    if name == "open":
        return "/open"
    if name in _OF_RELEASE:
        return "" if release is None else f"/releases/{release}/{name}"
    if dataset is None or (not ready and name not in ("look", "columns")):
        return ""
    return f"/data/{dataset}/{name}{query}"
