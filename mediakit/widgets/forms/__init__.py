"""A form: its fields, its state, its output, and its notebook."""
