"""Sheets: pages of the demo that show everything of one kind beside each other."""
