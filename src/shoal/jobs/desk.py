"""Register data at a release desk, and request a view: a release folder, or a refusal with its reason."""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from shoal import road
from shoal.data import Microdata, Records
from shoal.desk import Policy
from shoal.errors import FileError, GuaranteeError, ShoalError, WordingError
from shoal.interruptions import interruption_behind
from shoal.io import Data, Source
from shoal.io.folders.release import READERS, Readers, release_sha256
from shoal.io.formats import Format
from shoal.io.formats.registry import release_format
from shoal.io.schemas import GivenSchema, TableSchema
from shoal.progress import stage, whole
from shoal.randomness import Randomness

from .kept_data import read_kept
from .make_release import ReleaseFolders, claimed_folders, make_release
from .phases import REGISTERING, REQUESTING, TRYING
from .read import read

__all__ = ["DryRunResult", "RegisterResult", "RequestResult", "dry_run", "register", "request"]


if TYPE_CHECKING:
    from shoal.desk import Desk, Request
    from shoal.desk.request import Reservation

_WHERE_THERE_ARE_ANY = ("levels", "degrees", "suppressed")


@dataclass(frozen=True)
class RequestResult:
    """What was released."""

    number: int
    dataset: str
    version: int
    requester: str
    purpose: str
    levels: Mapping[str, int]
    """The level of its hierarchy to which each quasi-identifier is generalized; empty where groups are recoded locally.
    """
    degrees: Mapping[str, float]
    """The degree of anonymization of each quasi-identifier, where groups are recoded locally."""
    degree_asked: float
    degree_reached: float
    release: str
    sha256: str
    records: int
    groups: int
    seconds: float
    suppressed: tuple[str, ...] = ()
    """Quasi-identifiers that are published as ``*`` everywhere."""
    ratings: int | None = None
    """How many ratings the profiles of groups have; None: it is a view of a table."""

    @property
    def is_empty(self) -> bool:
        """Whether the view shows no quasi-identifier, or no rating, at all."""
        if self.ratings is not None:
            return self.ratings == 0
        return len(self.suppressed) == len(self.levels or self.degrees)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published = asdict(self)
        published["suppressed"] = list(self.suppressed)
        if self.ratings is None:
            del published["ratings"]
        return {key: value for key, value in published.items() if value or key not in _WHERE_THERE_ARE_ANY}


@whole("requesting a view", *REQUESTING)
def request(
    desk: str | Path,
    dataset: str,
    data: Data | None = None,
    schema: GivenSchema | None = None,
    *,
    requester: str,
    purpose: str,
    out: str | Path,
    ledger: str | Path | None = None,
    earlier: Sequence[Data] = (),
    earlier_schemas: Sequence[GivenSchema | None] = (),
    form: str = "csv",
    readable_by: Readers = "owner",
    key: bytes | None = None,
) -> RequestResult:
    """Release to a requester the view of a data set that the owner's policy allows, or raise.

    Without ``data``, those are read that the desk keeps (:func:`keep`), with the ``key`` if they are sealed.
    ``earlier`` are other versions of the data of which something was released; the desk cannot check without them. They
    are read with ``earlier_schemas``, one for each, or with the same schema if there are none.
    ``ledger`` is the owner's folder to make, by which the release can be measured and attacked. The release folder is
    for one requester: others on the machine cannot open it unless ``readable_by`` says ``group`` or ``all``. The
    release is decided on, made by the one road out, proof-read and named, in this order; each step is in the log, and
    what is interrupted is settled by the next command.
    """
    from shoal.desk import Desk, Request
    from shoal.desk.views.profile_recoding import ProfileRecoding

    began = time.perf_counter()
    if readable_by not in READERS:
        raise WordingError("A release folder is readable by its owner, by the group, or by all.")
    format_ = release_format(form, out)
    book = Desk(desk)
    source, others = _handed_in(book, dataset, data, schema, earlier, earlier_schemas, key)
    target = Path(os.path.abspath(out))
    asked = Request(dataset, requester, purpose, source.records, str(target), others)
    with book.held() as token:
        with claimed_folders(target, ledger, force=None, private=True) as folders:
            with stage("deciding"):
                reservation = book.reserve(token, asked)
            made = _made(book, asked, reservation, source, folders, format_)
        _open_to(target, readable_by)
        book.settle(reservation, "done", state="done", readable_by=readable_by)
    method, degrees = reservation.method, _degrees(reservation)
    return RequestResult(
        number=reservation.number,
        dataset=asked.dataset,
        version=reservation.version,
        requester=asked.requester,
        purpose=asked.purpose,
        levels=_levels(source.records, reservation.node),
        degrees=degrees,
        degree_asked=float(reservation.degree_asked),
        degree_reached=float(reservation.degree_reached),
        release=str(out),
        **made,
        seconds=round(time.perf_counter() - began, 3),
        suppressed=_suppressed(source.records, reservation.node, degrees),
        ratings=method.n_ratings if isinstance(method, ProfileRecoding) else None,
    )


@dataclass(frozen=True)
class DryRunResult:
    """What a request would get, and what each coalition would then know."""

    dataset: str
    version: int
    requester: str
    purpose: str
    levels: Mapping[str, int]
    """As of a release: the level of each quasi-identifier, or none where groups would be recoded locally."""
    degrees: Mapping[str, float]
    """The degree of anonymization of each quasi-identifier, where groups would be recoded locally."""
    degree_asked: float
    degree_reached: float
    records: int
    groups: int
    awaits_approval: bool
    """Whether it would wait for an officer first."""
    coalitions: tuple[dict[str, Any], ...]
    suppressed: tuple[str, ...] = ()
    """Quasi-identifiers that would be published as ``*`` everywhere."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published = {**asdict(self), "coalitions": list(self.coalitions), "suppressed": list(self.suppressed)}
        return {key: value for key, value in published.items() if value or key not in _WHERE_THERE_ARE_ANY}


@whole("trying a request", *TRYING)
def dry_run(
    desk: str | Path,
    dataset: str,
    data: Data | None = None,
    schema: GivenSchema | None = None,
    *,
    requester: str,
    purpose: str,
    earlier: Sequence[Data] = (),
    earlier_schemas: Sequence[GivenSchema | None] = (),
    key: bytes | None = None,
) -> DryRunResult:
    """Return what :func:`request` would release now, or raise what it would be refused with; nothing is kept of it.

    The view is made by the one road out, in memory alone, so that what would be refused on the way is refused here.
    """
    from shoal.desk import Desk, Request

    book = Desk(desk)
    source, others = _handed_in(book, dataset, data, schema, earlier, earlier_schemas, key)
    with stage("deciding"):
        found = book.foreseen(Request(dataset, requester, purpose, source.records, "", others))
    view = found.reservation
    accept = (*view.accept, road.EMPTY)
    published, _ = road.publish(
        source.records, view.models, view.method, randomness=Randomness(), withhold=view.withhold, accept=accept
    )
    degrees = _degrees(view)
    return DryRunResult(
        dataset=dataset,
        version=view.version,
        requester=requester,
        purpose=purpose,
        levels=_levels(source.records, view.node),
        degrees=degrees,
        degree_asked=float(view.degree_asked),
        degree_reached=float(view.degree_reached),
        records=published.certificate.records,
        groups=published.certificate.groups,
        awaits_approval=found.awaits_approval,
        coalitions=tuple(each.to_json() for each in found.coalitions),
        suppressed=_suppressed(source.records, view.node, degrees),
    )


def _degrees(reservation: "Reservation") -> Mapping[str, float]:
    """Return the degree of each quasi-identifier of a view that is recoded locally."""
    from shoal.desk.views.cut_recoding import CutRecoding

    return reservation.method.attribute_degrees if isinstance(reservation.method, CutRecoding) else {}


def _levels(records: Records, node: tuple[int, ...] | None) -> dict[str, int]:
    if node is None:
        return {}
    assert isinstance(records, Microdata), "ratings have no levels"
    return dict(zip((column.name for column in records.quasi_identifiers), node, strict=True))


def _suppressed(table: Records, node: tuple[int, ...] | None, degrees: Mapping[str, float]) -> tuple[str, ...]:
    """Return the quasi-identifiers of which nothing is published."""
    if node is None or not isinstance(table, Microdata):
        return tuple(name for name, degree in degrees.items() if degree == 1)
    from shoal.anonymizers.generalization.table_lattice import TableLattice
    from shoal.engines import LocalEngine

    heights = [hierarchy.height for hierarchy in TableLattice(table, LocalEngine()).hierarchies]
    levels = zip(table.quasi_identifiers, node, heights, strict=True)
    return tuple(column.name for column, level, height in levels if level == height)


def _open_to(folder: Path, readers: Readers) -> None:
    """Let others open a release folder that has its name: if this fails, it stays private."""
    of_folder, of_file = READERS[readers]
    try:
        for file in folder.iterdir():
            file.chmod(of_file)
        folder.chmod(of_folder)
    except OSError as error:
        raise FileError(f"{folder} cannot be opened to others: {os.strerror(error.errno or 0)}.") from None


def _handed_in(
    book: "Desk",
    dataset: str,
    data: Data | None,
    schema: GivenSchema | None,
    earlier: Sequence[Data],
    earlier_schemas: Sequence[GivenSchema | None],
    key: bytes | None,
) -> tuple[Source, tuple[Records, ...]]:
    """Return the data of a request and the earlier ones: as handed in, or as the desk keeps them."""
    if data is None:
        if schema is not None or earlier_schemas:
            raise WordingError("Data that the desk keeps are read with the schema that they were kept with.")
        source, kept = read_kept(book, dataset, key)
        return source, (*_earlier(kept, [None] * len(kept)), *_earlier(earlier, [None] * len(earlier)))
    return read(data, schema), _earlier(earlier, earlier_schemas or _same(schema, earlier))


def _earlier(data: Sequence[Data], schemas: Sequence[GivenSchema | None]) -> tuple[Records, ...]:
    if len(schemas) != len(data):
        raise WordingError("There is to be one earlier schema for each of the earlier data, in their order, or none.")
    return tuple(read(each, schema).records for each, schema in zip(data, schemas, strict=True))


def _same(schema: GivenSchema | None, earlier: Sequence[object]) -> list[GivenSchema | None]:
    """Return the schema for each of the earlier data; those in memory were read with theirs already."""
    return [None if isinstance(each, Source) else schema for each in earlier]


def _made(
    book: "Desk",
    asked: "Request",
    reservation: "Reservation",
    source: Source,
    folders: ReleaseFolders,
    format_: Format,
) -> dict[str, Any]:
    """Make the release in a folder that has no name yet; write down its hash, or why it could not be made."""
    try:
        accept = (*reservation.accept, road.EMPTY)  # how little a requester learns is the policy's decision
        origin = _origin(asked, reservation)
        made = make_release(
            source,
            reservation.models,
            reservation.method,
            folders,
            origin=origin,
            format_=format_,
            withhold=reservation.withhold,
            accept=accept,
        )
        sha256 = release_sha256(folders.release)
    except Exception as error:  # the text of a foreign error may hold a value of a record
        if interruption := interruption_behind(error):
            raise interruption from None  # as any interruption, it is settled by the next command
        why = error.message if isinstance(error, ShoalError) else f"a fault of Shoal ({type(error).__name__})"
        event = "refused" if isinstance(error, GuaranteeError) else "abandoned"
        with suppress(FileError):  # a disk that is full is full for the desk, too; the next command settles it
            book.settle(reservation, event, state=event, why=why)
        raise
    book.settle(reservation, "written", sha256=sha256)
    return {"sha256": sha256, "records": made.certificate.records, "groups": made.certificate.groups}


def _origin(asked: "Request", reservation: "Reservation") -> str:
    """Return what a ledger keeps of how its release came about."""
    return tomli_w.dumps(
        {
            "dataset": asked.dataset,
            "version": reservation.version,
            "requester": asked.requester,
            "purpose": asked.purpose,
            "number": reservation.number,
            "models": [str(model) for model in reservation.models],
            "method": str(reservation.method),
            "out": asked.folder,
        }
    )


if TYPE_CHECKING:
    from shoal.desk.people.marks import AsWritten
    from shoal.desk.people.population import Overlap, Version


@dataclass(frozen=True)
class RegisterResult:
    """What the desk keeps of the data, and what it noticed."""

    dataset: str
    version: int
    views: int | None
    """How many nested views there are, the finest of which keeps the promises; None: as before."""
    overlaps: Mapping[str, int]
    """How many people are also in other data sets: what is released of them is judged together."""
    warnings: tuple[str, ...] = ()
    """Why it cannot be judged together, in sentences."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published: dict[str, Any] = {"dataset": self.dataset, "version": self.version}
        published |= {} if self.views is None else {"views": self.views}
        published |= {"overlaps": dict(self.overlaps)} if self.overlaps else {}
        return published | ({"warnings": list(self.warnings)} if self.warnings else {})


@whole("registering data", *REGISTERING)
def register(
    desk: str | Path,
    name: str,
    data: Data,
    schema: GivenSchema | None = None,
    *,
    policy: Policy | None = None,
) -> RegisterResult:
    """Register a data set with its owner's policy or, without one, a new version of a data set that is known.

    The desk keeps the fingerprint of the data, names and roles of columns, keyed hashes of identifiers and records, and
    nothing that holds a value.
    """
    from shoal.desk import Desk
    from shoal.desk.names import known_name

    book, source = Desk(desk), read(data, schema)
    written = _written(source)
    views = None
    if policy is None:
        version = book.add_version(name, source.records, written)
    else:
        book.add_dataset(name, source.records, policy, written)
        version, views = 1, book.count_views(name, source.records)
    overlaps = _people_in_others(book.overlaps(name), (known_name(name), version))
    return RegisterResult(name, version, views, overlaps, tuple(book.warnings(name)))


def _people_in_others(overlaps: "Sequence[Overlap]", version: "Version") -> dict[str, int]:
    """Return how many people of a version are also in each other data set: in that version that has most of them."""
    found: dict[str, int] = {}
    for each in overlaps:
        if version in (each.version, each.other):
            other = each.other[0] if each.version == version else each.version[0]
            found[other] = max(found.get(other, 0), each.people)
    return found


def _written(source: Source) -> "AsWritten | None":
    from shoal.desk.people.marks import AsWritten

    if source.file is None or not isinstance(source.schema, TableSchema):
        return None
    return AsWritten(source.file.frame(*source.file.names), source.schema.person)
