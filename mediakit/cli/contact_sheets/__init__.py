"""Contact sheets: demo pages that show many results of one tool side by side."""
