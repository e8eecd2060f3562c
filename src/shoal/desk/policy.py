"""The policy of a data set: which promises its owner demands, and how trust becomes detail."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Self

from shoal.anonymizers import Decomposition
from shoal.anonymizers.decomposition.generalization_chain import WeightName
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.data import Microdata
from shoal.engines import refuse_misfits
from shoal.errors import RequestRefused, WordingError
from shoal.evidence import NeedGroups
from shoal.models import PrivacyModel, promises

from .names import known_name
from .projections import Projection, projections

__all__ = ["Policy", "view_method"]


@dataclass(frozen=True)
class Policy:
    """Promises that every view keeps, and every joint view of those who may collude."""

    promises: tuple[str, ...]
    """As wordings; judged on groups, and such that joining groups cannot break them."""
    projection: str = "linear"
    views: Literal["nested", "checked"] = "nested"
    """``nested``: all views lie on one chain. ``checked``: each purpose has its own, and joint views are checked."""
    purpose: str | None = None
    """The purpose of the one chain; without it all attributes are equally useful."""
    coalitions: tuple[tuple[str, ...], ...] | None = None
    """Which requesters may collude; None: all of them. A requester always colludes with himself."""
    identifier: str | None = None
    """The column by which people are recognized in another version of the data; it is never published."""
    accept: tuple[str, ...] = ()
    """Columns that the audit may find revealing and that are published all the same."""
    apart_from: tuple[str, ...] = ()
    """Data sets that seem to have people in common with this one, but are judged separately."""

    def __post_init__(self) -> None:
        self._normalize_names()
        if not self.promises:
            raise WordingError("A policy needs at least one promise.", "Add --model k-anonymity:k=5, for example.")
        for model in self.models:
            if not isinstance(model.need, NeedGroups) or not model.merge_safe:
                raise WordingError(
                    f"The desk cannot keep {model}: it needs a promise on groups that merging groups cannot break."
                )
        _ = self.trust_projection  # raises a WordingError of its own
        if self.views not in ("nested", "checked"):
            raise WordingError("Views are nested or checked.")

    def _normalize_names(self) -> None:
        """Write names as the desk keeps them."""
        for field, written in (
            ("purpose", None if self.purpose is None else known_name(self.purpose)),
            ("apart_from", tuple(map(known_name, self.apart_from))),
            (
                "coalitions",
                None if self.coalitions is None else tuple(tuple(map(known_name, c)) for c in self.coalitions),
            ),
        ):
            object.__setattr__(self, field, written)  # the dataclass is frozen

    @classmethod
    def of_json(cls, published: dict[str, Any]) -> Self:
        """Read what :meth:`to_json` gave."""
        return cls(
            promises=tuple(published["promises"]),
            projection=published["projection"],
            views=published["views"],
            purpose=published["purpose"],
            coalitions=None if published["coalitions"] is None else tuple(map(tuple, published["coalitions"])),
            identifier=published["identifier"],
            accept=tuple(published["accept"]),
            apart_from=tuple(published.get("apart_from", ())),
        )

    def to_json(self) -> dict[str, Any]:
        """Return what is kept and what ``--json`` prints."""
        published = asdict(self)
        if not self.apart_from:  # policies were written down before there was such a part
            del published["apart_from"]
        return published

    @property
    def models(self) -> list[PrivacyModel]:
        """The promises as objects."""
        return [promises.read(wording) for wording in self.promises]

    def refuse_misfits(self, table: Microdata) -> None:
        """Refuse promises that cannot be made on a table, or that a coarser view of it might break.

        Where a person may have several records, groups that have people in common are not counted together as apart.
        """
        refuse_misfits(table, self.models)
        for model in self.models:
            if table.has_repeated_people and not model.grow_safe:
                raise RequestRefused(
                    f"The desk cannot keep {model} where people have several records: merging groups may break it.",
                    "Promise k-anonymity, distinct l-diversity or p-sensitivity.",
                )

    @property
    def trust_projection(self) -> Projection:
        """The projection as an object."""
        return _projection(self.projection)

    def coalitions_with(self, requester: str) -> Sequence[frozenset[str] | None]:
        """Return the coalitions that a requester may belong to, himself included; None stands for everybody."""
        if self.coalitions is None:
            return [None]
        return [frozenset({requester}), *(frozenset(each) for each in self.coalitions if requester in each)]


@cache
def _projection(wording: str) -> Projection:
    return projections.read(wording)  # its law is tried on every thousandth of trust: once is enough


def view_method(
    purpose: Purpose,
    projection: Projection,
    trust: Fraction | float,
    *,
    weight: WeightName = "uniform",
    beta: Fraction = Fraction(1),
) -> Decomposition:
    """Return the method for a purpose and a trust; promises are kept along the chain, so that all views nest."""
    return Decomposition(
        degree=projection.degree(trust),
        priorities=purpose.priorities,
        most=purpose.most,
        least=purpose.least,
        target=purpose.target,
        bins=purpose.bins,
        weight=weight,
        beta=beta,
        further="chain",
    )
