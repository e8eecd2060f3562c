"""Pictures of what was measured; the only room that knows matplotlib."""

from .draw_sweep import draw_sweep
from .refuse_without_matplotlib import refuse_without_matplotlib

__all__ = ["draw_sweep", "refuse_without_matplotlib"]
