"""Tables read from files.

``table`` reads all columns, ``values`` finds their types, and ``profile_sizes`` reads and writes how many people stand
behind published records. ``sample_columns`` checks weights, households and strata, and puts weights
into classes. ``own_values`` reads the values of one person who looks themselves up.
"""
