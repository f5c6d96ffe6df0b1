"""Measurements of speed; nothing here is a test."""
