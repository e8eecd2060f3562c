"""A plan: everything ``shoal publish`` needs to make one release, in one TOML or JSON file."""

import dataclasses
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Self

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .anonymizers import Anonymizer, methods
from .backends.engine_name import EngineName
from .call_errors import meant
from .data import Records
from .errors import FileError, WordingError
from .io.formats.location import Location
from .io.formats.registry import writable_formats
from .models import PrivacyModel
from .models.asked_models import asked_models
from .utility import WarnAt
from .wording.values import american, parse_share

__all__ = ["IN_MEMORY", "PATHS", "Plan", "share_to_withhold"]

IN_MEMORY = "(in memory)"
"""What a plan says in the place of a path that there is none of."""

PATHS = ("data", "schema", "out", "ledger", "secret")
"""The settings that are paths; in a file they start from the folder of the file."""

_EXPECTED = {
    "tuple": "must be a list",
    "string": "must be text",
    "int": "must be a whole number",
    "bool": "must be true or false",
}
"""What a plan must hold where it holds something else, by the first word of pydantic's name for the fault."""


class Plan(BaseModel):
    """Source, promises, method and destination of one release: every option of ``shoal publish`` is a setting."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=True, validate_by_alias=True)

    data: str
    """What to read: a file, a folder, a pattern such as ``data/*.parquet``, the URL of a database, or ``-``."""
    models: tuple[str, ...]
    """The promises, each as ``name:key=value``."""
    out: str
    """The release folder to make."""
    schema_file: str | None = Field(None, alias="schema")
    """The schema of the data; may be left out where the layout can be recognized."""
    method: str | None = None
    """The method, as ``name:key=value``; the default depends on the data and the promises."""
    sheet: str | None = None
    """The sheet to read, where the data are a workbook with several."""
    query: str | None = None
    """The query to read, or the name of a table, where the data are in a database."""
    encoding: str | None = None
    """The encoding of the data, where they are text, such as ``cp1252``; by default that of the schema."""
    format_in: str | None = None
    """The format of the data, such as ``csv``, where it is not recognized."""
    ledger: str | None = None
    """The owner's folder to make: the originals, and which record became which."""
    withhold: str = "0"
    """The share of the records that may be withheld: ``2%`` or ``0.02``."""
    warn_below: str = "50%"
    """The owner is warned where less than this share of the ratings, or of the information in labels, is left."""
    warn_unique: str = "5%"
    """The owner is warned where more than this share of the published records are unchanged and unique."""
    duplicates: Literal["refuse", "last", "mean"] = "refuse"
    """Which rating counts where a person rated an item twice; by default such data are refused."""
    accept: tuple[str, ...] = ()
    """Risks that the owner accepts: columns that the audit finds revealing by name, ``vacuous`` and ``empty``."""
    format: str | None = None
    """The format of the published file; by default that of the source, or CSV if that cannot be written."""
    expand: bool = False
    """Whether a record that stands for several people is published once for each of them."""
    boost: str | None = None
    """The method's setting ``boost``, the share of the cells that a padding method publishes: ``30%`` or ``0.3``."""
    time: str | None = None
    """The method's setting ``time``, how long a method that improves step by step may take: ``30s``, ``5m``, ``1h``."""
    seed: int | None = None
    """The seed of everything that is drawn; together with the secret it makes a run repeatable."""
    secret: str | None = None
    """The file with the secret of the run to repeat, ``secret.txt`` of its ledger; by default a new secret is drawn."""
    engine: EngineName = "auto"
    """Where records are: ``local``, in memory; ``stream``, on disk; ``auto``, on disk if they do not fit; ``spark``."""
    memory: str | None = None
    """How much memory may be used, such as ``4GiB``; half of the machine's by default."""
    spark_master: str | None = None
    """The address of the master of a cluster of Spark, such as ``spark://host:7077``."""
    spark_staging: str | None = None
    """A folder that all executors see, in which a private one is made for the time of the run."""

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a plan; relative paths in it start from its own folder."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            settings = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except OSError:
            raise FileError(f"The plan {path} cannot be read.", "Check that the file is there.") from None
        except (ValueError, RecursionError):  # covers wrong encoding, JSON and TOML, nested however deep
            raise WordingError(
                f"The plan {path} is neither TOML nor JSON.", "Write settings as key = value, texts in quotes."
            ) from None
        if not isinstance(settings, dict):
            raise WordingError(f"The plan {path} does not hold settings.", "Write one object with the settings in it.")
        for key in PATHS:
            if isinstance(settings.get(key), str) and settings[key] != IN_MEMORY:
                is_data = key == "data"  # perhaps the URL of a database
                below = Location(settings[key]).below(path.parent).path if is_data else path.parent / settings[key]
                settings[key] = str(below)
        return cls.of(**settings)

    def absolute(self) -> Self:
        """Return the same plan with absolute paths and without passwords, to be kept anywhere."""
        paths = {name: getattr(self, name) for name in ("schema_file", "out", "ledger", "secret")}
        update = {name: os.path.abspath(path) for name, path in paths.items() if path not in (None, IN_MEMORY)}
        data = Location(self.data)
        if data.is_database or data.is_pattern or os.path.exists(self.data):  # data in memory have no path
            update["data"] = (
                data.below(Path.cwd()).without_password().path if data.is_database else os.path.abspath(data.path)
            )
        return self.model_copy(update=update)

    @classmethod
    def of(cls, /, **settings: Any) -> Self:
        """Return a plan of these settings, or refuse: the message names the setting that is wrong."""
        known = [field.alias or name for name, field in cls.model_fields.items()]
        allowed = {*known, *cls.model_fields, "model"}
        spelled = {key if key in allowed else american(key): value for key, value in settings.items()}
        for key, word in zip(settings, spelled, strict=False):
            if word not in allowed:
                cure = f"{meant(key, known)}Known are: {', '.join(known)}."
                raise WordingError(f"A plan has no setting {key!r}.", cure)
        if "model" in spelled:
            spelled["models"] = asked_models(spelled.get("models"), spelled.pop("model"))
        try:
            return cls(**spelled)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            key = str(first["loc"][0])
            if first["type"] == "missing":
                raise WordingError(
                    f"The plan does not say {key!r}.", f"Add {key} = … to the plan or the call."
                ) from None
            raise WordingError(f"The plan is wrong at {key!r}: {_fault(first)}.") from None

    @model_validator(mode="before")
    @classmethod
    def _with_location(cls, settings: Any) -> Any:
        """Take a location apart: what it says are settings of a plan."""
        data = settings.get("data") if isinstance(settings, dict) else None
        if not isinstance(data, Location):
            return settings
        said = {"sheet": data.sheet, "query": data.query, "format_in": data.format, "encoding": data.encoding}
        twice = [name for name, value in said.items() if value is not None and settings.get(name) is not None]
        if twice:
            raise WordingError(f"{twice[0]!r} is said of the data and in the plan.", "Leave one of them out.")
        return {**settings, "data": data.path, **{name: value for name, value in said.items() if value is not None}}

    @field_validator("data", "schema_file", "out", "ledger", "secret", mode="before")
    @classmethod
    def _as_path(cls, path: object) -> object:
        return os.fspath(path) if isinstance(path, os.PathLike) else path

    @field_validator("data", "schema_file", "out", "ledger", "secret")
    @classmethod
    def _without_zero_byte(cls, path: str | None) -> str | None:
        if path is not None and "\0" in path:
            raise ValueError("the name of a file or folder holds no zero byte")
        return path

    @field_validator("models", mode="before")
    @classmethod
    def _as_wordings(cls, models: object) -> object:
        if isinstance(models, str | PrivacyModel):
            return (str(models),)
        if isinstance(models, list | tuple):
            return tuple(str(each) if isinstance(each, PrivacyModel) else each for each in models)
        return models

    @field_validator("method", mode="before")
    @classmethod
    def _as_wording(cls, method: object) -> object:
        return str(method) if isinstance(method, Anonymizer) else method

    @field_validator("accept", mode="before")
    @classmethod
    def _one_or_several(cls, words: object) -> object:
        return (words,) if isinstance(words, str) else words

    @field_validator("format")
    @classmethod
    def _is_written(cls, name: str | None) -> str | None:
        known = [each.name for each in writable_formats()]
        if name is not None and name not in known:
            raise ValueError(f"it is one of {', '.join(known)}")
        return name

    @field_validator("withhold", "warn_below", "warn_unique", "boost", "time", mode="before")
    @classmethod
    def _as_text(cls, share: object) -> object:
        return str(share) if isinstance(share, int | float | Fraction) else share

    @property
    def location(self) -> Location:
        """Where the data are, and which part of them is meant."""
        return Location(self.data, self.sheet, self.query, self.format_in, self.encoding)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        for name, value in dict(self).items():
            yield name, self.location.without_password().path if name == "data" else value

    @property
    def promises(self) -> list[PrivacyModel]:
        """The promises as objects."""
        return asked_models(self.models)

    def anonymizer(self, records: Records) -> tuple[Anonymizer, str | None]:
        """Return the method; where the plan names none, the default for these records, and the reason for it."""
        from .anonymizers.default_method import default_method  # loads the methods it chooses from

        return self.method_or(lambda: default_method(records, self.promises, self.share_withheld))

    def method_or(self, default: Callable[[], tuple[Anonymizer, str | None]]) -> tuple[Anonymizer, str | None]:
        """Return the method; where the plan names none, the default, and the reason for it."""
        method, reason = default() if self.method is None else (methods.read(self.method), None)
        if self.boost is not None:
            method = _set(method, "boost", _boost(self.boost))
        if self.time is not None:
            method = _set(method, "time", _seconds(self.time))
        return method, reason

    @property
    def share_withheld(self) -> Fraction:
        """The share of the records that may be withheld, exactly."""
        return share_to_withhold(self.withhold)

    @property
    def warn_at(self) -> WarnAt:
        """The shares at which the owner is warned, exactly."""
        return _warn_at(self.warn_below, self.warn_unique)

    def refuse_unreadable(self) -> None:
        """Refuse what can be told to be wrong before the data are there: promises, method and shares."""
        _ = self.promises, self.share_withheld, self.warn_at
        _ = self.time is None or _seconds(self.time), self.boost is None or _boost(self.boost)
        if self.method is not None:
            methods.read(self.method)

    def to_toml(self) -> str:
        """Write the plan so that :meth:`read` reads the same."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_none=True, by_alias=True))


def _fault(error: Any) -> str:
    """Say what a setting must be, in words of a plan."""
    which = f"entry {int(error['loc'][1]) + 1}" if len(error["loc"]) > 1 else "it"
    if error["type"] == "literal_error":
        return f"{which} must be {error.get('ctx', {})['expected']}"
    expected = _EXPECTED.get(error["type"].partition("_")[0])
    if expected is not None:
        return f"{which} {expected}"
    return error["msg"].removeprefix("Value error, ").replace("Input should be", f"{which} must be")


def share_to_withhold(given: str | float | Fraction) -> Fraction:
    """Return the share of the records that may be withheld, exactly: of ``2%``, 0.02 or a fraction."""
    if not isinstance(given, str | int | float | Fraction):  # what it is must not be repeated: it may be a frame
        raise WordingError(f"The share to withhold is no object of {type(given).__name__!r}.", "Write 2% or 0.02.")
    share = given if isinstance(given, Fraction) else _share(str(given), "The share to withhold", "Write 2% or 0.02.")
    if not 0 <= share < 1:
        raise WordingError("The share of records to withhold must be at least 0 and below 1.", "Write 2%.")
    return share


def _warn_at(below: str, unique: str) -> WarnAt:
    """Return the shares at which the owner is warned, exactly."""
    shares = [_share(text, "The share to warn at", "Write 50% or 0.5.") for text in (below, unique)]
    if not all(0 <= share <= 1 for share in shares):
        raise WordingError("The share to warn at must be at least 0 and at most 1.", "Write 50%.")
    return WarnAt(*shares)


def _set(method: Anonymizer, key: str, value: Any) -> Anonymizer:
    """Return the method with one setting changed, which its wording must have left at the default."""
    defaults = {field.name: field.default for field in dataclasses.fields(method)}
    if key not in defaults:
        able = [each.name for each in methods if key in {field.name for field in dataclasses.fields(each)}]
        raise WordingError(f"The method {method.name!r} has no setting {key!r}.", f"Choose {' or '.join(able)}.")
    if getattr(method, key) != defaults[key]:
        raise WordingError(f"The method {method.name!r} is given {key!r} twice.")
    return dataclasses.replace(method, **{key: value})


def _seconds(text: str) -> int:
    """Return a length of time in whole seconds."""
    found = re.fullmatch(r"(\d{1,9})\s?(s|m|h|)", text.strip(), re.ASCII)
    if found is None:
        raise WordingError("The time is not a length of time.", "Write 30s, 5m or 1h.")
    return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def _boost(text: str) -> Fraction:
    return _share(text, "The boost", "Write 30% or 0.3.")


def _share(text: str, what: str, hint: str) -> Fraction:
    """Return a share exactly; ``what`` names it where the text is none."""
    try:
        return parse_share(text)
    except ValueError:
        raise WordingError(f"{what} cannot be {text.strip()!r}.", hint) from None
