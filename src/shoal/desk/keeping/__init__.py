"""Data that the desk keeps, encrypted, or knows the place of, so that a request needs no file from the owner.

Read ``keys`` first (where a key comes from), then ``sealing`` (how bytes are encrypted) and ``kept`` (where they are).
"""
