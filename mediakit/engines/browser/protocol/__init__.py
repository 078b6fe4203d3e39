"""The Chrome DevTools Protocol: commands to Chromium, and its events, over a pipe of this process."""

from mediakit.engines.browser.protocol.connection import Connection
from mediakit.engines.browser.protocol.errors import ProtocolError
from mediakit.engines.browser.protocol.pipe import IS_SUPPORTED, PipeProcess, kill_group, start_process
from mediakit.engines.browser.protocol.session import TARGET_CRASHED, Listener, Session

__all__ = [
    "IS_SUPPORTED",
    "TARGET_CRASHED",
    "Connection",
    "Listener",
    "PipeProcess",
    "ProtocolError",
    "Session",
    "kill_group",
    "start_process",
]
