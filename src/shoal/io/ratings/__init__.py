"""Ratings read from files: long and wide layouts, MovieLens and Netflix Prize files.

``column_names`` and ``recognition`` tell which columns hold users, items and ratings. ``long``, ``wide``, ``movielens``
and ``netflix`` read one layout each. They number ids (``id_codes``) and marks (``rating_marks``, and ``null_marks`` for
those that may mean null) batch by batch, and ``compressed`` sorts the numbers into records. ``dated_items`` makes items
of items and periods where dates are published; ``rating_dates`` reads the days on which ratings were given, for
attacks, and ``days_of_dates`` what is written there. ``own_ratings`` reads the ratings of one person who looks
themselves up, and ``own_survey`` their demographics and answers.
"""
