"""Read ratings, one a line, without bringing them into memory."""

from shoal.backends import Backend
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.ratings.long import LongLayout

from .coded_rows import coded_rows, rating_codes
from .ratings import PartitionedRatings, described_ratings

__all__ = ["read_partitioned_ratings"]


def read_partitioned_ratings(file: TabularFile, layout: LongLayout, backend: Backend) -> PartitionedRatings:
    """Return the ratings of a file: items are brought here, the ratings of each user together where they are kept."""
    scanned = backend.scan(file, *layout.names)
    codes = rating_codes(backend, scanned, layout)
    rows = coded_rows(backend, scanned, layout, codes)
    n_rows = codes.n_runs if codes.in_runs else file.rows
    notes = (*file.notes, layout.said(), *codes.notes)
    return described_ratings(rows, codes.layout, codes.items, file.rows, n_rows, backend, notes)
