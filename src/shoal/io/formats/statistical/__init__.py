"""Files of SPSS, Stata and SAS: codes, and labels for columns and codes.

``base`` reads them all with pyreadstat; ``spss``, ``stata`` and ``sas`` are the formats, and ``labeled_frame`` finds
what a file to write holds: codes and their labels, in types that the file can hold.
"""
