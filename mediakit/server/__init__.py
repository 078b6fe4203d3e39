"""A server inside this process: `mediakit.serve()`, its request log, and the usage of an account."""

from mediakit.server.kernel import LOCAL_ACCOUNT, Server, local_key, running, serve
from mediakit.server.process import LOCALHOST, Processes, config, listen, raise_descriptor_limit, server_url
from mediakit.server.usage import Dashboard, dashboard, status

__all__ = [
    "LOCALHOST",
    "LOCAL_ACCOUNT",
    "Dashboard",
    "Processes",
    "Server",
    "config",
    "dashboard",
    "listen",
    "local_key",
    "raise_descriptor_limit",
    "running",
    "serve",
    "server_url",
    "status",
]
