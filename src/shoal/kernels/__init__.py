"""Loops over arrays, compiled: arrays in, arrays out, no class and no domain word."""

import numba
import numpy as np

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    np.seterr(over="ignore")  # uncompiled, words that wrap around as they should would warn
