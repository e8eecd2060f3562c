"""Measures of prediction: how well classifiers trained on the release do, beside those trained on the originals.

Read :mod:`.classification_task` first (how trials are drawn and accuracy is averaged), then :mod:`.rating_material` and
:mod:`.table_material` (what is predicted from what), :mod:`.joined` (training and test records of different releases)
and :mod:`.accuracy` (naive Bayes and the decision tree). What is predicted and how often it is tried is a setting of
the comparison (:mod:`shoal.utility.prediction_settings`).
"""
