"""Clients of a mediakit server: the same names, results and exceptions as the local tools."""

from mediakit.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
