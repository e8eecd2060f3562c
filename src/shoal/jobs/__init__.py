"""The jobs of the public face: what a command, a plan or a Python program asks for, a module or a package each.

Every job reads its data (:mod:`.read`), asks the rooms below to do the work, and returns a frozen result with
``to_json``. Begin with :mod:`.check`; then :mod:`.publish`, :mod:`.verify`, :mod:`.attack`, :mod:`.measure` and
:mod:`.report`, which follow a release through its life.

Nothing is imported here: ``shoal.check`` imports ``shoal.jobs.check`` when it is first used, so that a command loads
only what it needs, and a name in this package is always a module.
"""
