"""Loops over arrays, compiled: arrays in, arrays out, no class and no domain word.

Read :mod:`.compiled` first: how a function becomes a kernel, when it is compiled and for how many threads;
:mod:`.compiler`, :mod:`.code_library` and :mod:`.kernel_cache` are what it uses of numba. Then :mod:`.sorting`,
:mod:`.compressed_rows` and :mod:`.row_comparison`, on which other kernels build. The packages are about groups
(:mod:`.groups`, :mod:`.clustering`), distances (:mod:`.neighbors`) and background knowledge (:mod:`.matching`); the
modules beside them about sampling, numbering, factorization, least squares, sums over raters and the parsing of text.
"""

import os

import numpy as np

if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
    np.seterr(over="ignore")  # uncompiled, words that wrap around as they should would warn
