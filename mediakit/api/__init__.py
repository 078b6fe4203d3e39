"""The ASGI app: every tool as a documented endpoint."""
