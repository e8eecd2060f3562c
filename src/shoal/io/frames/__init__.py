"""Frames: data that somebody holds in memory, as Polars, pandas or Arrow.

``open_frame`` says what a frame is and opens one as a file is opened; ``pandas_frame`` knows what is special about
pandas. The way back: ``records_frame`` makes a frame of records, in the types that ``kept_types`` finds they still fit.
"""

from .open_frame import Frame, ReadableData, is_frame, open_data, open_frame, to_read_again

__all__ = ["Frame", "ReadableData", "is_frame", "open_data", "open_frame", "to_read_again"]
