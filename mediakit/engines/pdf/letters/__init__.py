"""Reads the letters of pages whose text MuPDF gives otherwise than people read it, and puts it right.

`correcting` says whether a page needs it, and returns its lines. Other pages are never read letter by letter.
"""
