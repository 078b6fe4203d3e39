"""Codes found and read in pictures and PDFs: a cheap look first, then ever harder ones while nothing was found.

zxing-cpp reads; what is here gives it pictures that it can read, and believes it only as far as it can be believed.
A worker imports this, so nothing here knows of requests or results.
"""
