"""The phases of jobs and how long they usually take, so that one bar can be drawn of a whole job.

Weights are from publishing a million records; what a job needs more or less of them only makes its bar uneven.
"""

from shoal.progress import Phase

__all__ = [
    "ATTACKING",
    "CHECKING",
    "DESCRIBING",
    "KEEPING",
    "LOOKING",
    "MEASURING",
    "PUBLISHING",
    "REGISTERING",
    "REPORTING",
    "REQUESTING",
    "SEARCHING",
    "SWEEPING",
    "TRYING",
    "VERIFYING",
]

_READING = Phase(2, ("checking ", "reading ", "encoding ", "sorting ratings", "coding "))
_JUDGING = Phase(
    1, ("grouping records", "counting ", "comparing ", "splitting ", "looking for ", "auditing ", "withholding ")
)
_FINISHING = Phase(1, ("shuffling ", "measuring"))
_PROOF = Phase(2, ("proof-reading ",))

PUBLISHING = (
    _READING,
    Phase(5, ("trying methods", "anonymizing ")),
    _JUDGING,
    _FINISHING,
    Phase(1, ("writing ",)),
    _PROOF,
)
CHECKING = (_READING, _JUDGING)
VERIFYING = (_READING, _JUDGING)
LOOKING = (_READING,)
DESCRIBING = (_READING, Phase(1, ("looking at ",)), Phase(2, ("comparing ",)))
SEARCHING = (_READING, Phase(5, ("searching ",)))
SWEEPING = (_READING, Phase(20, ("sweeping",)))
ATTACKING = (_READING, Phase(5, ("attacking ",)))
MEASURING = (_READING, Phase(5, ("measuring",)))
REPORTING = (_PROOF, _READING, Phase(4, ("attacking ",)), Phase(4, ("measuring",)))
_DECIDING = Phase(3, ("deciding",))
KEEPING = (_READING,)
REGISTERING = (_READING, Phase(3, ("searching ", "cutting ")))
REQUESTING = (_READING, _DECIDING, *PUBLISHING[1:])
TRYING = (_READING, _DECIDING, *PUBLISHING[1:4])
