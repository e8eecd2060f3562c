"""Tables whose records are not in memory: read, judged and published wherever a backend keeps them.

:mod:`.coded_columns` is read first: the values of a column, which are in memory, and the code of each record, which is
not. :mod:`.table` is a table of such columns, :mod:`.persons` says whose records they are, and :mod:`.read_table` reads
one from a file. :mod:`.group_rows` brings
equal records together and counts them, partition by partition, and :mod:`.judge` judges promises on what was counted.
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
