"""Large results wait for their clients in temporary files, so that clients that do not read them take no memory."""

import asyncio
import io
import logging
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from starlette.responses import Response, StreamingResponse

from mediakit.errors import ServerBusy

SPOOL_BYTES = 256 * 1024
"""Larger bodies are sent from a file, in parts of this size."""

MAX_ACCOUNT_BYTES = 256 * 1024 * 1024
"""Bytes of results that the clients of an account have not read. With more, its next calls get a 503."""


_log = logging.getLogger("mediakit.api")


class UnreadResults:
    """The large results of this process that their clients have not read yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        """The home of the server; the folder for temporary files of a container is often in memory."""
        self._bytes: Counter[int] = Counter()

    def require_room(self, account_id: int) -> None:
        """Refuse a call of an account whose clients do not read its results.

        Raises:
            ServerBusy: Too many bytes are unread.
        """
        if self._bytes[account_id] > MAX_ACCOUNT_BYTES:
            megabytes = MAX_ACCOUNT_BYTES // 1024**2
            raise ServerBusy(f"{megabytes} MB of results of this account are unread. Read them, then try again.")

    def response(self, response: Response, account_id: int) -> Response:
        """Return a response that holds a large body in a file; a small one as it is."""
        if len(response.body) <= SPOOL_BYTES:
            return response
        return _FileBodyResponse(response, self._folder, self._bytes, account_id)


class _FileBodyResponse(StreamingResponse):
    """A response whose body is written to a temporary file, and sent from there in parts."""

    def __init__(self, response: Response, folder: Path, unread: Counter[int], account_id: int) -> None:
        self._folder = folder
        self.status_code, self.raw_headers = response.status_code, response.raw_headers
        self.background = response.background
        self.body_iterator = self._parts(unread, account_id)
        self._content = bytes(response.body)

    async def _parts(self, unread: Counter[int], account_id: int) -> AsyncIterator[bytes]:
        size = len(self._content)
        unread[account_id] += size
        try:
            with await asyncio.to_thread(self._spool) as file:
                while part := await asyncio.to_thread(file.read, SPOOL_BYTES):
                    yield part
        finally:
            unread[account_id] -= size
            if not unread[account_id]:
                del unread[account_id]

    def _spool(self) -> IO[bytes]:
        """Move the body to a file without a name; it stays in memory if the disk is full."""
        content, self._content = self._content, b""
        try:
            with ExitStack() as failed:
                file: IO[bytes] = failed.enter_context(tempfile.TemporaryFile(dir=self._folder))
                file.write(content)
                file.seek(0)
                failed.pop_all()
                return file
        except OSError as error:
            _log.warning("A result of %d bytes stays in memory; MEDIAKIT_HOME: %s", len(content), error.strerror)
            return io.BytesIO(content)
