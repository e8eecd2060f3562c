"""Interruptions by a signal: holding them off for a moment, finding the one behind another error, and hearing them.

Whoever runs a command may stop it at any time. A signal becomes an exception wherever the process happens to be, also
in the middle of a call of compiled code, which then reports a ``SystemError`` with the interruption as its cause.
Read ``holding_off`` first; ``signals`` is for commands and jobs, which leave through their open blocks.
"""

from .holding_off import SIGNALS, interruption_behind, uninterrupted
from .signals import Signals

__all__ = ["SIGNALS", "Signals", "interruption_behind", "uninterrupted"]
