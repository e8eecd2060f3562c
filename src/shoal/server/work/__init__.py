"""Jobs: one process each, so that a crash, or memory that runs out, costs one job and nothing else.

``asks`` says what can be asked for. A job has a private ``folder`` with its order, its ``events`` and its result;
``worker`` is the program that runs there, and ``runs`` what it calls. ``supervisor`` starts, watches and stops workers.
"""
