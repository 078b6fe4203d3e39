"""Images: decoded, reduced to the resolution at which they are drawn, and encoded again."""
