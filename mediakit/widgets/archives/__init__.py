"""The form of `unzip`: the entries of the archive, to choose from."""
