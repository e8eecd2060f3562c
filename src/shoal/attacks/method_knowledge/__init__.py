"""Attackers who know how the method chose its labels and groups, and turn that against the release.

Both rest on the minimality assumption: no label is wider, and no group larger, than the promises required. Read
:mod:`.minimal_labels` first: what a label discloses under that assumption, and which methods do not satisfy it. Then
``downcoding``, which recovers exact values behind labels; :mod:`.allowable_cuts`, how a group could have been divided
once more; and ``minimality``, which infers sensitive values from groups that were not divided.
"""
