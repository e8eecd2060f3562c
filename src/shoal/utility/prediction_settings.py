"""What classifiers are to predict, and on how many records, in how many trials."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.errors import WordingError
from shoal.wording import Worded

__all__ = ["Prediction"]


@dataclass(frozen=True)
class Prediction(Worded):
    """A prediction to be tried, written ``trials=50,records=2000``.

    A comparison carries it, ``Comparison(…, prediction=Prediction("income"))``, and so an experiment hands it to
    ``recoded``. Where training and test records are anonymized apart, as in the papers, the comparison is that of the
    training records, and ``tested_on`` that of the test records::

        test = recoded(some, models, method, seed)
        made = recoded(others, models, method, seed, prediction=Prediction("income"), tested_on=test.comparison)
        made.measured("naive Bayes accuracy before", "naive Bayes accuracy")

    The papers on survey ratings take 50 such pairs of 2,000 records each, and do not say what is predicted.
    """

    name: ClassVar[str] = "prediction"

    target: str | None = None
    """The item or column to be predicted; None: the first suitable one."""
    trials: int = 5
    """How often records are drawn and split anew; accuracy is the average over trials."""
    records: int = 5_000
    """The most records of a trial; where releases are trained and tested on apart, the most of each."""
    training: Fraction = Fraction(2, 3)
    """The share of the records of a trial for training, the others for testing; of no effect on releases apart."""
    features: int = 50
    """From how many items a rating is predicted at most, those rated most often; of no effect on tables."""

    def __post_init__(self) -> None:
        if self.trials < 1 or self.features < 1:
            raise WordingError("prediction: trials and features must be at least 1.")
        if self.records < 2:
            raise WordingError("prediction: records must be at least 2.")
        if not 0 < self.training < 1:
            raise WordingError("prediction: training must be above 0 and below 1.")
