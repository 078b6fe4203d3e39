"""Tables: reading, typing and writing."""
