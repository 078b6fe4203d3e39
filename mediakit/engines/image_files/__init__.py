"""Image files of all formats that are described and compared: detection, limits, decoding, timing and hashes.

All functions parse untrusted files and are to be called in a worker process. A rejected file raises an `InvalidInput`
that begins with the name of its field.
"""
