"""Plots of measures against the parameters of promises: :func:`draw_sweep`.

This is the only room that imports matplotlib; :func:`plot_folder` says early where that is missing.
"""

from .draw_sweep import draw_sweep, plot_folder

__all__ = ["draw_sweep", "plot_folder"]
