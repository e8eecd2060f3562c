"""Parquet, and profiles as it packs them: read ``parquet``, then ``profiles``, ``delta_packed`` and ``thrift``."""
