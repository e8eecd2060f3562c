"""File formats, one a file: what is read and written as named columns.

``base`` says what a format is, ``registry`` finds the right one, and ``delimited_text``, ``parquet`` and
``statistical`` are the formats. A path leads over ``data_files`` (folders, archives, compressed files) to
``contents``, and from there to a ``tabular_file``, which is read in batches; ``write_frames`` goes the other way.
``formula_escapes`` keeps spreadsheets from running what is published as text.
"""

from .base import Format
from .contents import Contents
from .registry import formats
from .tabular_file import TabularFile, faults_of

__all__ = ["Contents", "Format", "TabularFile", "faults_of", "formats"]
