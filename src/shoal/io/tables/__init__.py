"""Tables read from files.

``table`` reads all columns, ``values`` finds their types, and ``profile_sizes`` reads and writes how many people stand
behind published records. ``own_values`` reads the values of one person who looks themselves up.
"""
