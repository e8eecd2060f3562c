"""Synthetic data straight to a file, with a schema beside it."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol

import polars as pl

from shoal.data import Hierarchy
from shoal.errors import FileError, WordingError
from shoal.interruptions import uninterrupted
from shoal.io import Schema, write_hierarchy
from shoal.io.folders.staging import faults_named_by, staging_folder
from shoal.io.formats.registry import writable_format
from shoal.io.formats.write_frames import write_frames
from shoal.io.write_errors import refuse_unfit_name, unwritable_as_error

from .basket_model import BasketModel
from .rating_model import RatingModel
from .sample_model import SampleModel
from .survey_model import SurveyModel
from .table_model import TableModel

__all__ = ["KINDS", "write_generated"]


class _Model(Protocol):
    @property
    def columns(self) -> dict[str, pl.DataType]: ...
    @property
    def lines(self) -> int: ...
    def schema(self, stem: str, /) -> Schema: ...
    def frames(self) -> Iterator[pl.DataFrame]: ...


KINDS: Final[Mapping[str, Callable[..., _Model]]] = {
    "baskets": BasketModel.draw,
    "ratings": RatingModel.draw,
    "survey": SurveyModel.draw,
    "table": TableModel.draw,
    "sample": SampleModel.draw,
}
"""What can be generated, and the call that draws its model."""


def write_generated(kind: str, path: str | Path, *, force: bool = False, **sizes: Any) -> Path:
    """Write generated data to a file, in the format that its ending says; return the path of the schema beside it.

    ``sizes`` are the arguments of :func:`generate_baskets`, :func:`generate_ratings`, :func:`generate_survey`,
    :func:`generate_table` or :func:`generate_sample`. The data are made and written block by block, so memory does not
    grow with their number. ``ratings.parquet`` gets the schema ``ratings.schema.toml``, and the table ``people.csv``
    its hierarchies ``people.sex.csv`` and so on; the demographics of ``baskets.csv`` are in ``baskets.people.csv``.
    Files that are there already are refused unless ``force`` is set, and a failed run leaves none of its own.
    """
    path = Path(path)
    _refuse_path(path)
    model = _drawn(kind, sizes)
    schema = path.with_suffix(".schema.toml")
    trees = model.hierarchies() if isinstance(model, TableModel | SampleModel | BasketModel) else {}
    people = model.attributes() if isinstance(model, BasketModel) else None
    beside = [] if people is None else [_attributes_name(path)]
    names = [path.name, schema.name, *(_hierarchy_name(path, column) for column in trees), *beside]
    taken = [] if force else [name for name in names if path.with_name(name).exists()]
    if taken:
        raise FileError(
            f"Writing {path.name} would replace {', '.join(taken)}.", "Choose another name or folder, or force it."
        )
    with unwritable_as_error(path), staging_folder(path.parent) as folder, faults_named_by(path, folder):
        _write(folder / path.name, model, trees)
        if people is not None:
            people.write_csv(folder / _attributes_name(path))
        with uninterrupted():  # data without their schema would be half of what was asked for
            for name in names:
                (folder / name).replace(path.with_name(name))
    return schema


def _refuse_path(path: Path) -> None:
    writable_format(path)
    refuse_unfit_name(path)
    if not path.parent.is_dir():
        raise FileError(f"There is no folder {path.parent}.", "Create it first.")


def _drawn(kind: str, sizes: Mapping[str, Any]) -> _Model:
    """Draw the model, refusing what it does not know."""
    if kind not in KINDS:
        raise WordingError(f"There is no kind of data {kind!r} to generate.", f"Known are: {', '.join(KINDS)}.")
    known = inspect.signature(KINDS[kind]).parameters
    needed = [name for name, parameter in known.items() if parameter.default is parameter.empty]
    unknown, missing = [name for name in sizes if name not in known], [name for name in needed if name not in sizes]
    if unknown or missing:
        fault = f"does not take {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
        raise WordingError(f"Generating {kind} {fault}.", f"Give {', '.join(known)}.")
    return KINDS[kind](**sizes)


def _write(path: Path, model: _Model, trees: Mapping[str, Hierarchy]) -> None:
    _sink(path, model)
    path.with_suffix(".schema.toml").write_text(model.schema(path.stem).to_toml(), encoding="utf-8")
    for column, tree in trees.items():
        write_hierarchy(tree, path.with_name(_hierarchy_name(path, column)))


def _hierarchy_name(path: Path, column: str) -> str:
    return f"{path.stem}.{column}.csv"


def _attributes_name(path: Path) -> str:
    return f"{path.stem}.people.csv"


def _sink(path: Path, model: _Model) -> None:
    frames = chain([pl.DataFrame(schema=model.columns)], model.frames())
    write_frames(((len(frame), frame) for frame in frames), model.lines, path)
