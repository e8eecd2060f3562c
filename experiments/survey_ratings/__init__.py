"""Survey ratings made (k,ε)-anonymous: papers 000 and 001, and chapter 6 of the thesis."""
