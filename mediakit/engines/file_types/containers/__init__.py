"""Containers whose type depends on what is inside: each module returns the name of the registry's type."""
