"""File formats, one a file: what is read and written as named columns.

``base`` says what a format is, ``registry`` finds the right one, and ``delimited_text``, ``parquet``, ``ndjson``,
``excel``, ``statistical`` and ``database`` are the formats. A ``location`` leads over ``data_files`` (folders, parts,
``unpacked`` files, ``standard_input``) to ``contents``, and from there to a ``tabular_file``, which is read in batches;
``parts`` makes one of several, and ``repeated_parts`` finds those that are there twice. Text that is not UTF-8 is
recognized by ``encodings`` and read by ``scan_recoded``. ``write_frames`` goes the other way, and ``formula_escapes``
keeps spreadsheets from running what is published as text. ``whole_numbers`` and ``faithful`` are for formats that know
only one kind of number, or that round.
"""

from .base import Format
from .contents import Contents
from .location import Location
from .registry import formats
from .tabular_file import TabularFile, faults_of

__all__ = ["Contents", "Format", "Location", "TabularFile", "faults_of", "formats"]
