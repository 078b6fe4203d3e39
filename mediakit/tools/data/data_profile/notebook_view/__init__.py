"""How a notebook shows a profile: a summary, the problems, and a card for each column."""
