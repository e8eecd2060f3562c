"""The terminal: one file a command, each parse → one library call → print. Heavy imports wait for the call."""
