"""What Shoal writes: releases, ledgers and sweeps, each a folder that appears complete or not at all.

``release``, ``ledger`` and ``sweep`` say what each folder holds; ``write_records`` writes the data files in them.
``data_parts`` and ``ledger_parts`` are for data in several files.
``staging`` builds a folder under a temporary name and renames it at the end, and ``lock_file`` shows which staging
folders are still in use.
"""
