"""Workbooks of Excel: ``excel`` is the format, ``sheet`` reads one sheet, and ``write_sheet`` writes one."""
