"""Measures of prediction: how well classifiers trained on the release do, beside those trained on the originals.

Read :mod:`.classification_task` first (what is predicted from what, and how records are split), then :mod:`.accuracy`
(naive Bayes and the decision tree).
"""
