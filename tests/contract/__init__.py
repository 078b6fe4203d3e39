"""Calls a running server with generated requests, and checks every answer against the OpenAPI document."""
