"""What a release says of somebody who looks themselves up.

:mod:`.job` reads what the person knows and asks :mod:`.fitting` which records fit it; :mod:`.sensitive_shares` counts
what these records reveal, :mod:`.unlike_the_release` finds what may be mistyped, :mod:`.in_words` says it all, and
:mod:`.questions` knows what a release can be asked. :mod:`.explaining_schema` is how an owner reads its labels.
"""

from .fitting import RatingsInSight, fitting_rows
from .job import Fit, LookupResult, lookup
from .sensitive_shares import SensitiveShares, sensitive_shares

__all__ = ["Fit", "LookupResult", "RatingsInSight", "SensitiveShares", "fitting_rows", "lookup", "sensitive_shares"]
