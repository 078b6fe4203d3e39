"""The kinds of values: people, places, products, moments, numbers, codes and texts."""
