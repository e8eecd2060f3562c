"""Loops over arrays, compiled: arrays in, arrays out, no class and no domain word."""

import os

import numpy as np

if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
    np.seterr(over="ignore")  # uncompiled, words that wrap around as they should would warn
