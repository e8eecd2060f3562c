"""The policy of a data set: which promises its owner demands, and how trust becomes detail."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, Self

from shoal.anonymizers import Decomposition
from shoal.anonymizers.decomposition.generalization_chain import WeightName
from shoal.anonymizers.decomposition.purpose import Purpose
from shoal.data import Microdata, Records, Role
from shoal.engines import refuse_misfits
from shoal.errors import RequestRefused, WordingError
from shoal.evidence import NeedGroups
from shoal.models import PrivacyModel, promises
from shoal.wording.values import parse_number, parse_share

from .names import known_name, refuse_odd_name
from .projections import Projection, projections

__all__ = ["Policy", "view_method"]

_OVERSIGHT: Final = ("approval", "approval_days", "release_days", "two_person")
_SINCE: Final = ("apart_from", "beta", "withhold", "population", *_OVERSIGHT)
"""Parts that policies were written down without before there were such parts: they are then empty."""
_STEEPEST: Final = 100
_MOST_DAYS: Final = 36_500


@dataclass(frozen=True)
class Policy:
    """Promises that every view keeps, and every joint view of those who may collude."""

    promises: tuple[str, ...]
    """As wordings; judged on groups, and such that joining groups cannot break them."""
    projection: str = "linear"
    views: Literal["nested", "checked"] = "nested"
    """``nested``: all views are of one tree or chain. ``checked``: each purpose has its chain; what views reveal
    together is checked."""
    recoding: Literal["local", "levels"] = "local"
    """How nested views generalize: group by group, or every record to the same levels, which changes of the data
    disturb less."""
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
    beta: str = ""
    """The exponent by which steps near the top of a hierarchy count more in degrees, at least 1; empty: all steps count
    alike."""
    withhold: str = ""
    """The share of the records that nested views by local recoding may withhold, such as ``2%``: the same from all."""
    approval: bool = False
    """Whether a request waits until an officer has approved it."""
    approval_days: int = 0
    """After how many days a request that waits, and an approval that was not used, expires; 0: never."""
    release_days: int = 0
    """After how many days a release is no longer to be used; 0: never. It goes on to count as known."""
    two_person: bool = False
    """Whether a change of this policy that one person proposes is to be confirmed by another."""
    population: str = ""
    """The name of the population that the data are an extract of: all its data sets are judged together."""

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
        if self.recoding not in ("local", "levels"):
            raise WordingError("Nested views are recoded locally, or by levels.")
        _ = self.step_weights
        if self.withheld_share and (self.views, self.recoding) != ("nested", "local"):
            raise WordingError("Only nested views by local recoding withhold records.")
        self._refuse_odd_oversight()
        self._refuse_odd_population()

    def _refuse_odd_population(self) -> None:
        if not self.population:
            return
        refuse_odd_name(self.population)
        if self.identifier is None:
            raise WordingError(
                "A data set of a population names the identifier by which people are known again in the others.",
                "Add --identifier COLUMN.",
            )

    def _refuse_odd_oversight(self) -> None:
        for days in (self.approval_days, self.release_days):
            if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= _MOST_DAYS:
                raise WordingError(f"Days are a whole number from 0, which is for ever, to {_MOST_DAYS:,}.")
        if not isinstance(self.approval, bool) or not isinstance(self.two_person, bool):
            raise WordingError("Approval and the two-person rule are either asked for or not.")

    def _normalize_names(self) -> None:
        """Write names as the desk keeps them."""
        for field, written in (
            ("purpose", None if self.purpose is None else known_name(self.purpose)),
            ("apart_from", tuple(map(known_name, self.apart_from))),
            ("population", known_name(self.population)),
            (
                "coalitions",
                None if self.coalitions is None else tuple(tuple(map(known_name, c)) for c in self.coalitions),
            ),
        ):
            object.__setattr__(self, field, written)  # the dataclass is frozen

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Return the policy that settings describe, those not named being as usual; lists may stand for tuples."""
        unknown = sorted(settings.keys() - {field.name for field in fields(cls)})
        if unknown or "promises" not in settings:
            raise WordingError(
                f"A policy has no part {unknown[0]!r}." if unknown else "A policy needs at least one promise.",
                f"It has: {', '.join(field.name for field in fields(cls))}.",
            )
        return cls(**{name: _as_tuples(value) for name, value in settings.items()})

    @classmethod
    def of_json(cls, published: dict[str, Any]) -> Self:
        """Read what :meth:`to_json` gave."""
        return cls(
            promises=tuple(published["promises"]),
            projection=published["projection"],
            views=published["views"],
            recoding=published.get("recoding", "levels"),
            purpose=published["purpose"],
            coalitions=None if published["coalitions"] is None else tuple(map(tuple, published["coalitions"])),
            identifier=published["identifier"],
            accept=tuple(published["accept"]),
            apart_from=tuple(published.get("apart_from", ())),
            **{part: published[part] for part in _SINCE if part in published and part != "apart_from"},
        )

    def to_json(self) -> dict[str, Any]:
        """Return what is kept and what ``--json`` prints."""
        published = asdict(self)
        for part in _SINCE:
            if not published[part]:
                del published[part]
        if self.recoding == "levels":  # so were all views then
            del published["recoding"]
        return published

    @property
    def models(self) -> list[PrivacyModel]:
        """The promises as objects."""
        return [promises.read(wording) for wording in self.promises]

    def refuse_misfits(self, records: Records) -> None:
        """Refuse promises that cannot be made on data, or that a coarser view of them might break.

        Where a person may have several records, groups that have people in common are not counted together as apart.
        """
        if not isinstance(records, Microdata):
            self.refuse_parts_of_tables()
        refuse_misfits(records, self.models)
        for model in self.models:
            if isinstance(records, Microdata) and records.has_repeated_people and not model.grow_safe:
                raise RequestRefused(
                    f"The desk cannot keep {model} where people have several records: merging groups may break it.",
                    "Promise k-anonymity, distinct l-diversity or p-sensitivity.",
                )

    def refuse_parts_of_tables(self) -> None:
        """Refuse what only a table has: views of ratings are groups of people that merge, and nothing else."""
        said = {
            "views": self.views != "nested",
            "recoding": self.recoding != "local",
            "purpose": self.purpose is not None,
            "beta": bool(self.beta),
            "withhold": bool(self.withheld_share),
        }
        for part in (part for part, is_said in said.items() if is_said):
            raise WordingError(
                f"A policy for ratings says nothing of {part!r}: their views are nested groups of people, and trust "
                "alone decides how large they are.",
                "Leave it out.",
            )

    @property
    def trust_projection(self) -> Projection:
        """The projection as an object."""
        return _projection(self.projection)

    @property
    def step_weights(self) -> tuple[WeightName, Fraction]:
        """How steps up a hierarchy are weighed in degrees, and with which exponent."""
        if not self.beta:
            return "uniform", Fraction(1)
        try:
            beta = parse_number(self.beta)
        except (ValueError, AttributeError):
            raise WordingError("A policy needs a number as beta.") from None
        if not 1 <= beta <= _STEEPEST:
            raise WordingError(f"A policy needs a beta of at least 1 and at most {_STEEPEST}.")
        return "utility", beta

    @property
    def withheld_share(self) -> Fraction:
        """The share of the records that may be withheld."""
        try:
            share = parse_share(self.withhold) if self.withhold else Fraction(0)
        except (ValueError, AttributeError):
            raise WordingError("The share of records to withhold is a number such as 2%.") from None
        if not 0 <= share < 1:
            raise WordingError("The share of records to withhold must be at least 0 and below 1.")
        return share

    def is_recoded_locally(self, records: Records) -> bool:
        """Whether views of data are cut from a tree; where groups must not cross strata, they lie on a chain."""
        has_strata = isinstance(records, Microdata) and bool(records.with_role(Role.STRATUM))
        return self.views == "nested" and self.recoding == "local" and not has_strata

    def coalitions_with(self, requester: str) -> Sequence[frozenset[str] | None]:
        """Return the coalitions that a requester may belong to, himself included; None stands for everybody."""
        if self.coalitions is None:
            return [None]
        return [frozenset({requester}), *(frozenset(each) for each in self.coalitions if requester in each)]


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value


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
