"""Tables and ratings whose records are not in memory: read, judged and published wherever a backend keeps them.

:mod:`.column_values` is read first: the different values of a column, which are here. :mod:`.coded_columns` has the
code of each record, which is not. :mod:`.table` is a table of such columns, :mod:`.persons` says whose records they
are, and :mod:`.read_table` reads one from a file. :mod:`.group_rows` brings equal records together and counts them,
partition by partition, and :mod:`.judge` judges promises on what was counted. :mod:`.sums` adds up numbers by key.

:mod:`.publish_table` is the road out: :mod:`.recoding` lets a method work, if :mod:`.methods` has it (:mod:`.lattice`,
with :mod:`.node_rows` and :mod:`.node_judging`, or one of :mod:`.local_recoding`), which makes a :mod:`.labeled_table`
(:mod:`.generalization`); :mod:`.kept_rows` withholds, :mod:`.write_parts` writes the release and
:mod:`.original_parts` the rest of the ledger, with :mod:`.numbered_rows` for rows that have no numbers, and
:mod:`.label_uses`, :mod:`.label_weights` and :mod:`.report` measure. :mod:`.audit` looks at insensitive columns, and
:mod:`.people` counts people who have several records. :mod:`.everybody` is what groups are compared with, and
:mod:`.strata` recodes strata each by itself. :mod:`.linked_records` compares a release with its ledger.

:mod:`.ratings` reads and judges ratings, :mod:`.predictive` is the method of that name, and :mod:`.rating_release`
publishes them. :mod:`.whole_parts` lets parts of any release appear whole.
"""

from .judge import PartitionedJudgment, judge_partitioned
from .read_table import read_partitioned_table
from .table import PartitionedTable, partitioned

__all__ = [
    "PartitionedJudgment",
    "PartitionedTable",
    "judge_partitioned",
    "partitioned",
    "read_partitioned_table",
]
