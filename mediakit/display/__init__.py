"""How bytes and values are shown in a notebook."""
