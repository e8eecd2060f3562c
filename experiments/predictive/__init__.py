"""Predictive anonymization of sparse ratings: paper 002."""
