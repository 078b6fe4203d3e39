"""The tools, grouped in folders by tag. `catalogue.py` lists them."""
