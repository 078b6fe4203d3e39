"""Tests of forms for Word templates."""
