"""Tests of the tab Many."""
