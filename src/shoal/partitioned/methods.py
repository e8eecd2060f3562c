"""Which methods run where: this table is what refusals and the reference say."""

from collections.abc import Mapping
from types import MappingProxyType

from shoal.anonymizers import Anonymizer
from shoal.anonymizers.microaggregation.microaggregation import Microaggregation
from shoal.anonymizers.mondrian.mondrian import Mondrian
from shoal.anonymizers.predictive.predictive import Predictive
from shoal.anonymizers.top_down.top_down import TopDown
from shoal.errors import WordingError

__all__ = [
    "IN_MEMORY_ALONE",
    "ON_DISK",
    "RATINGS_ON_DISK",
    "needs_memory",
    "ratings_need_memory",
]

ON_DISK: Mapping[str, str] = MappingProxyType(
    {
        "none": "publishes the same records",
        "lattice": "finds the same node",
        "mondrian": "makes the same groups, with `mode=strict` and nothing withheld",
        "top-down": "makes the same groups, with `search=0`",
        "microaggregation": "makes the same groups in the same blocks, with `blocks=` and nothing withheld",
    }
)
"""The methods that publish records which are not in memory, and what they make of them, compared with memory."""

RATINGS_ON_DISK: Mapping[str, str] = MappingProxyType(
    {
        "none": "publishes the same records",
        "predictive": "makes the same groups and profiles, without `variant=padded`, for `k-anonymity`",
    }
)
"""The methods that publish ratings which are not in memory, and what they make of them, compared with memory."""

_COMPARES = "it compares records with all others"

IN_MEMORY_ALONE: Mapping[str, str] = MappingProxyType(
    {
        "specialization": "it moves records between groups that it holds",
        "decomposition": "it looks for columns that go together in all records at once",
        "greedy-clustering": _COMPARES,
        "align": _COMPARES,
        "graph": _COMPARES,
        "greedy-interval": _COMPARES,
        "item-suppression": "it counts sets of items of all people at once",
        "item-generalization": "it counts sets of items of all people at once",
        "joined": "it makes groups of both parts of a survey",
    }
)
"""The methods that need their records in memory, and why."""


_LOCAL = "read the table into memory (--engine local)"


def needs_memory(method: Anonymizer, *, withholding: bool) -> WordingError | None:
    """Return the refusal of a method that needs its records in memory, with the reason and what to do, if it does."""
    if isinstance(method, Mondrian) and method.mode == "relaxed":
        return WordingError(
            "Mondrian separates equal values (mode=relaxed) by an order of all records, which is made in memory.",
            f"Publish with mode=strict, or {_LOCAL}.",
        )
    if isinstance(method, Mondrian) and withholding:
        return WordingError(
            "Which records Mondrian withholds, it finds by comparing all groups, in memory.",
            f"Leave out --withhold: Mondrian keeps the promises without it. Or {_LOCAL}.",
        )
    if isinstance(method, TopDown) and method.search:
        return WordingError(
            "The local search of top-down moves records between groups anywhere in the table, in memory.",
            f"Say search=0, which leaves it out, or {_LOCAL}.",
        )
    if isinstance(method, Microaggregation) and (withholding or method.blocks is None):
        return WordingError(
            "Microaggregation compares records with all others, in memory. In blocks, each of which is aggregated by "
            "itself and nothing is withheld of, it needs only the records of a block.",
            f"Say blocks=100000 and leave out --withhold, or {_LOCAL}.",
        )
    if method.name in ON_DISK:
        return None
    why = IN_MEMORY_ALONE.get(method.name, "it is given its records in memory")
    return WordingError(
        f"The method {method.name!r} needs the records in memory: {why}.",
        f"Choose {' or '.join(ON_DISK)}, or {_LOCAL}.",
    )


def ratings_need_memory(method: Anonymizer) -> WordingError | None:
    """Return the refusal of a method that needs ratings in memory, with the reason and what to do, if it does."""
    local = "read the ratings into memory (--engine local)"
    if isinstance(method, Predictive) and method.variant == "padded":
        return WordingError(
            "With variant=padded users are grouped by their own ratings, which is done in memory.",
            f"Leave it out, or {local}.",
        )
    if method.name in RATINGS_ON_DISK:
        return None
    why = IN_MEMORY_ALONE.get(method.name, "it is given its records in memory")
    return WordingError(
        f"The method {method.name!r} needs the ratings in memory: {why}.",
        f"Choose {' or '.join(RATINGS_ON_DISK)}, or {local}.",
    )
