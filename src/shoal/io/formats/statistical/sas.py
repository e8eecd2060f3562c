"""Files of SAS, which are only read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from shoal.io.formats.registry import formats

from .base import Statistical

__all__ = ["SAS"]


@formats.add
@dataclass(frozen=True)
class SAS(Statistical):
    """SAS data sets and transport files."""

    name: ClassVar[str] = "sas"
    title: ClassVar[str] = "SAS"
    endings: ClassVar[tuple[str, ...]] = (".sas7bdat", ".xpt")
    readers: ClassVar[Mapping[str, str]] = {".sas7bdat": "read_sas7bdat", ".xpt": "read_xport"}
    default_reader: ClassVar[str] = "read_sas7bdat"
