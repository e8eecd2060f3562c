"""Pictures of what was measured; the only room that knows matplotlib."""

from .draw_sweep import draw_sweep, plot_folder

__all__ = ["draw_sweep", "plot_folder"]
