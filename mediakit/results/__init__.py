"""The results of tools: one class per module."""
