"""How many threads the tests may use."""

import numba

__all__ = ["THREADS"]

THREADS = numba.get_num_threads()
"""As many as there were before a fixture asked for fewer: cores, or what NUMBA_NUM_THREADS says."""
