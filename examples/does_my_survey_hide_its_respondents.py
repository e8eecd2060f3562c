"""Does my survey hide its respondents, and from whom?

Takes the six answers of Table 2 in the paper on survey ratings, and asks for which k every respondent has k − 1 others
within ε on every non-sensitive issue.
"""

import shoal
from shoal.datasets import load
from shoal.io import RatingsSchema, Source


def main() -> None:
    survey = Source(load("survey-ratings-2"), RatingsSchema(layout="wide", id=("respondent",)), (), ())
    for epsilon in range(8):
        verdict = shoal.check(survey, [f"k-epsilon:k=2,epsilon={epsilon}"]).verdicts[0]
        print(f"epsilon = {epsilon}: k = {verdict.level['k']}", "" if verdict.holds else "(nobody is hidden)")


if __name__ == "__main__":
    main()
