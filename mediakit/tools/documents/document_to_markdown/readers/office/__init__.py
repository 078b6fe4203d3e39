"""What the readers of office formats share; other readers use some of it."""
