"""The forms of tools that have their own."""
