"""What tools return: one class a module."""
