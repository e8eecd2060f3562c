"""The books of a desk as they are read, row by row, in JSON's terms.

Read ``part`` first (which rows are asked for, and how they are read without reading the rest), then ``entries`` (books
that are read from the log) and ``tables`` (books that are tables). ``shoal.desk.listings`` puts them together.
"""
