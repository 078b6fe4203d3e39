"""The reader view of a page: the algorithm of Mozilla's Readability.

The patterns, word lists and numbers are those of Readability, so that the result is what the reader view of Firefox
shows.
"""
