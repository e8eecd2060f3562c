"""What each method costs under a grid of promises, point by point.

:mod:`.job` is the sweep as a whole; :mod:`.grid` lists the points, :mod:`.point` runs one of them, :mod:`.measures`
says which points lack a measure, :mod:`.workers` runs several side by side, and :mod:`.cost_tables` shows what they
cost. Finished points are kept on disk (:mod:`shoal.io.folders.sweep`), so that a stopped sweep can be resumed.
"""

from .job import SweepResult, sweep

__all__ = ["SweepResult", "sweep"]
