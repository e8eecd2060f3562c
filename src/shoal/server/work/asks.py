"""What can be asked for: one model a kind of job. Their fields are the settings of the functions of the same names."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt

__all__ = ["LONGEST_HIERARCHY", "AnyAsk", "Ask", "DryRunAsk", "Finite", "KeepAsk", "RegisterAsk", "RequestAsk"]

LONGEST_HIERARCHY = 900_000
"""The most letters of a hierarchy that is sent or told as text; a longer one is sent as a file."""
Id = Annotated[str, Field(pattern=r"^[0-9a-f]{16,24}$")]
Text = Annotated[str, Field(max_length=2000)]
Texts = Annotated[tuple[Text, ...], Field(max_length=100)]
Finite = Annotated[StrictFloat, Field(allow_inf_nan=False)]
Number = StrictInt | Finite | Text
Duplicates = Literal["refuse", "last", "mean"]
Engine = Literal["auto", "local", "stream"]
"""Where records are: in memory, on disk, or on disk if they need more memory than the job may take."""


class Ask(BaseModel):
    """An order for a job; each has a ``kind``, a word of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets that it reads."""
        return tuple(each for each in (getattr(self, "dataset", None),) if each)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that it reads."""
        return tuple(each for each in (getattr(self, "release", None),) if each)


class DescribeAsk(Ask):
    """What is in the data."""

    kind: Literal["describe"]
    dataset: Id
    duplicates: Duplicates = "refuse"


class CheckAsk(Ask):
    """Whether promises hold on data as they stand."""

    kind: Literal["check"]
    dataset: Id
    models: Annotated[Texts, Field(min_length=1)]
    duplicates: Duplicates = "refuse"
    search: Literal["auto", "slicing", "pairwise"] = "auto"
    engine: Engine = "auto"


class LimitsAsk(Ask):
    """The best parameters that data meet."""

    kind: Literal["limits"]
    dataset: Id
    given: dict[Literal["k", "epsilon", "l", "m"], Number] = {}
    """What is given of ratings; of a table, nothing."""
    semantics: Literal["neighborhood", "partition"] = "neighborhood"
    spread: Literal["non-null", "pairwise", "over-all", "null-as-zero"] = "non-null"
    all_null: Literal["refuse", "accept"] = "refuse"
    part: Literal["answers", "demographics"] | None = None
    duplicates: Duplicates = "refuse"
    engine: Engine = "auto"


class PublishAsk(Ask):
    """A release that keeps promises."""

    kind: Literal["publish"]
    dataset: Id
    models: Annotated[Texts, Field(min_length=1)]
    method: Text | None = None
    withhold: Text = "0"
    warn_below: Text = "50%"
    warn_unique: Text = "5%"
    duplicates: Duplicates = "refuse"
    accept: Texts = ()
    format: Text | None = None
    expand: StrictBool = False
    boost: Text | None = None
    time: Text | None = None
    seed: StrictInt | None = None
    engine: Engine = "auto"

    def settings(self) -> dict[str, Any]:
        """Return them as a plan has them, those left out being as usual."""
        as_usual = {"engine"} if self.engine == "auto" else set()
        return self.model_dump(exclude={"kind", "dataset"} | as_usual, exclude_none=True)


class VerifyAsk(Ask):
    """Whether a release keeps its promises, as anybody could check."""

    kind: Literal["verify"]
    release: Id
    ledger: StrictBool = True
    """Whether its owner's ledger is compared too."""
    engine: Engine = "auto"


class AttackAsk(Ask):
    """What attackers find, in data as they stand or in a release."""

    kind: Literal["attack"]
    dataset: Id | None = None
    release: Id | None = None
    attacks: Texts = ()
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = 0


class MeasureAsk(Ask):
    """What a release has lost."""

    kind: Literal["measure"]
    release: Id
    everything: StrictBool = False
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = 0
    queries: Text | None = None
    prediction: Text | None = None
    useful: Text | None = None


class CompareColumnsAsk(Ask):
    """Columns or items of a release beside their originals."""

    kind: Literal["compare-columns"]
    release: Id
    columns: Texts = ()
    pair: Annotated[tuple[Text, ...], Field(max_length=2)] = ()


class ReportAsk(Ask):
    """The owner's page about a release."""

    kind: Literal["report"]
    release: Id
    attacks: Texts = ()
    everything: StrictBool = False
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = 0


class SweepAsk(Ask):
    """What every promise of a grid would cost."""

    kind: Literal["sweep"]
    dataset: Id
    k: Annotated[tuple[Number, ...], Field(min_length=1, max_length=100)]
    epsilon: Annotated[tuple[Number, ...], Field(max_length=100)] = ()
    m: Annotated[tuple[Number, ...], Field(max_length=10)] = ()
    method: Annotated[Texts, Field(min_length=1)]
    l: Number | None = None  # noqa: E741 - the letter of the literature
    models: Texts = ()
    withhold: Text = "0"
    accept: Texts = ()
    duplicates: Duplicates = "refuse"
    seed: StrictInt | None = None


class LatticeAsk(Ask):
    """What the generalizations of a table would cost."""

    kind: Literal["lattice"]
    dataset: Id
    models: Annotated[Texts, Field(min_length=1)]
    method: Text = "lattice"
    withhold: Text = "0"
    minimal: StrictBool = False


class SuggestHierarchyAsk(Ask):
    """A hierarchy for a column."""

    kind: Literal["suggest-hierarchy"]
    dataset: Id
    column: Text
    hierarchy: Text | None = None
    """Its kind, where it is not to be chosen."""
    widths: Annotated[tuple[Finite, ...], Field(max_length=50)] | None = None
    parts: Annotated[tuple[StrictInt, ...], Field(max_length=50)] | None = None
    shares: Annotated[tuple[Finite, ...], Field(max_length=50)] | None = None


class CheckHierarchyAsk(Ask):
    """Every fault of a hierarchy and, with a data set, every value that it misses."""

    kind: Literal["check-hierarchy"]
    content: Annotated[str, Field(max_length=LONGEST_HIERARCHY)]
    """The hierarchy as its file has it."""
    dataset: Id | None = None
    column: Text | None = None


class DrawHierarchyAsk(Ask):
    """A hierarchy as a tree: of its content, or as the schema of a data set declares it."""

    kind: Literal["draw-hierarchy"]
    content: Annotated[str, Field(max_length=LONGEST_HIERARCHY)] | None = None
    dataset: Id | None = None
    column: Text | None = None
    most: Annotated[int, Field(ge=1, le=1000, strict=True)] = 10


AnyAsk = Annotated[
    DescribeAsk
    | CheckAsk
    | LimitsAsk
    | PublishAsk
    | VerifyAsk
    | AttackAsk
    | MeasureAsk
    | CompareColumnsAsk
    | ReportAsk
    | SweepAsk
    | LatticeAsk
    | SuggestHierarchyAsk
    | CheckHierarchyAsk
    | DrawHierarchyAsk,
    Field(discriminator="kind"),
]
"""What an owner can ask for."""


class RegisterAsk(Ask):
    """Data to be registered at the desk, with a policy or as a new version."""

    kind: Literal["desk-register"]
    name: Text
    dataset: Id
    policy: dict[str, Any] | None = None


class KeepAsk(Ask):
    """A version of a data set of the desk, to be kept by it."""

    kind: Literal["desk-keep"]
    name: Text
    version: StrictInt
    dataset: Id


class RequestAsk(Ask):
    """A view of a data set of the desk."""

    kind: Literal["desk-request"]
    name: Text
    requester: Text
    purpose: Text
    format: Text = "csv"


class DryRunAsk(Ask):
    """What a request to the desk would get."""

    kind: Literal["desk-dry-run"]
    name: Text
    requester: Text
    purpose: Text
