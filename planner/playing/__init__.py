"""Positions that are played on: moves made and taken back, dice rolled, phases ended."""
