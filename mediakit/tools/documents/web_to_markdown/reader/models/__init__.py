"""The trained models: decision trees with the names of their features, which are checked on load."""
