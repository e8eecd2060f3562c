"""The method ``joined``: demographics generalized and answers made alike, in groups that both parts share.

Read :mod:`.joined` first; :mod:`.demands` says what the promises on a survey demand of each part. People are grouped by
both parts in :mod:`.grouped_by_both`, with :mod:`.joint_groups` and :mod:`.label_costs` (who is with whom) and
:mod:`.narrower_labels` (what is published of a group). Otherwise :mod:`.answers_by_class` makes the answers of each
class alike. :mod:`.merged_groups` merges groups of which the sensitive values are too much alike.
"""

from .joined import Joined

__all__ = ["Joined"]
