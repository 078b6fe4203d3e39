"""What happens on one of a browser's connections: plain requests, each judged on its own, or a tunnel."""

import asyncio
import logging
from http import HTTPStatus

import h11

from mediakit.engines.network.dial import Dialer, RefusedError
from mediakit.engines.network.lease import Lease
from mediakit.engines.network.message import (
    MalformedRequestError,
    Target,
    check_framing,
    is_connect,
    to_browser,
    to_origin,
)
from mediakit.engines.network.peer import Peer

logger = logging.getLogger(__name__)


class Connection:
    """Serves one connection of the browser."""

    def __init__(self, browser: Peer, dialer: Dialer, lease: Lease) -> None:
        self._browser = browser
        self._dialer = dialer
        self._lease = lease

    async def serve(self) -> None:
        """Answer requests until either side closes, or the connection becomes a tunnel."""
        async with self._browser as browser:
            try:
                while request := await browser.receive_request():
                    await self._answer(request)
                    if not self._reusable():
                        return
                    browser.http.start_next_cycle()
            except MalformedRequestError as error:
                logger.debug("Malformed request from a browser: %s.", error)
                await self._deny(HTTPStatus.BAD_REQUEST)
            except (OSError, h11.ProtocolError) as error:
                logger.debug("A browser's connection broke off: %r", error)
                browser.abort()

    async def _answer(self, request: h11.Request) -> None:
        target = Target.of(request)
        check_framing(request)
        self._lease.count_request()
        origin = await self._reach(target)
        if origin is None:
            await self._deny(HTTPStatus.BAD_GATEWAY)
            return
        async with origin:
            if is_connect(request):
                await self._browser.next_event()
                await self._browser.send(h11.Response(status_code=200, reason=b"Connection established", headers=[]))
                await self._tunnel(origin)
            else:
                await self._forward(request, target, origin)

    async def _reach(self, target: Target) -> Peer | None:
        """Connect to a target; None when it is refused or unreachable, which must look the same."""
        try:
            streams = await self._dialer.dial(target)
        except RefusedError as reason:
            self._lease.count_refusal(target.host)
            logger.info("Refused %s, port %d: %s.", target.host, target.port, reason)
        except OSError as error:
            self._fail(target, error)
        else:
            return Peer(h11.CLIENT, *streams, self._lease)
        return None

    async def _forward(self, request: h11.Request, target: Target, origin: Peer) -> None:
        try:
            await self._exchange(to_origin(request, target), origin)
        except (OSError, h11.RemoteProtocolError) as error:
            if self._browser.http.our_state is not h11.SEND_RESPONSE:
                raise  # half an answer was sent: only a broken connection says that it is not whole
            self._fail(target, error)
            await self._deny(HTTPStatus.BAD_GATEWAY)

    async def _exchange(self, request: h11.Request, origin: Peer) -> None:
        await origin.send(request)
        upload = self._lease.spawn(self._upload(origin))
        try:
            await self._relay_response(origin)
        finally:
            upload.cancel()

    async def _upload(self, origin: Peer) -> None:
        """Send the request's content while the answer may already come, as it does for one that is too large."""
        try:
            while isinstance(event := await self._browser.next_event(), h11.Data):
                await origin.send(event)
            await origin.send(h11.EndOfMessage())
        except (OSError, h11.ProtocolError) as error:
            logger.debug("An upload broke off: %r", error)
            origin.abort()

    async def _relay_response(self, origin: Peer) -> None:
        while True:
            match await origin.next_event():
                case h11.Data() as data:
                    await self._browser.send(data)
                case h11.Response() as response:
                    await self._browser.send(to_browser(response))
                case h11.InformationalResponse() as response:
                    await self._browser.send(response)
                    if response.status_code == 101:
                        return await self._tunnel(origin)
                case h11.EndOfMessage():
                    return await self._browser.send(h11.EndOfMessage())
                case _:
                    raise ConnectionError("the origin closed before its answer began")

    async def _tunnel(self, origin: Peer) -> None:
        """Pass bytes both ways until both sides are done."""
        try:
            async with asyncio.TaskGroup() as pumps:
                pumps.create_task(_pump(self._browser, origin))
                pumps.create_task(_pump(origin, self._browser))
        except* OSError as errors:
            raise ConnectionError("a tunnel broke off") from errors

    def _reusable(self) -> bool:
        http = self._browser.http
        return http.our_state is h11.DONE and http.their_state is h11.DONE and not http.trailing_data[0]

    async def _deny(self, status: HTTPStatus) -> None:
        """Answer with a status alone and end the connection."""
        headers = [("Content-Length", "0"), ("Connection", "close")]
        await self._browser.send(h11.Response(status_code=status, reason=status.phrase, headers=headers))
        await self._browser.send(h11.EndOfMessage())
        await self._browser.linger()

    def _fail(self, target: Target, error: Exception) -> None:
        self._lease.failed_hosts.add(target.host)
        logger.info("Could not reach %s, port %d.", target.host, target.port)
        logger.debug("%s, port %d: %r", target.host, target.port, error)


async def _pump(source: Peer, sink: Peer) -> None:
    data, _ = source.http.trailing_data
    data = data or await source.read()
    while data:
        await sink.write(data)
        data = await source.read()
    sink.write_eof()
