"""Tests of the engine that fills Word templates."""
