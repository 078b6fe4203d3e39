"""What several tools share, or what outlives a call."""
