"""Loops over arrays, compiled. Arrays in, arrays out; no class, no word of the domain."""
