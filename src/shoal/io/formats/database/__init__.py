"""Data in a database: ``database`` is the format, ``statement`` finds what to ask, ``answer`` reads it."""
