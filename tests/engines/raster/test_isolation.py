"""Large and risky images are converted in worker processes; every failure there is a clear error."""

import asyncio
import importlib
import signal
from dataclasses import replace
from io import BytesIO

import psutil
import pytest
from PIL import Image

import mediakit
from mediakit.engines.raster import ConvertOptions, convert_isolated
from mediakit.errors import InvalidInput, MediakitError, ServerBusy
from tests.support.raster_kit import convert

CONVERSIONS = importlib.import_module("mediakit.engines.raster.convert")  # `raster.convert` is its function

pytestmark = pytest.mark.anyio


def encoded(size: tuple[int, int], kind: str = "PNG", **options: object) -> bytes:
    buffer = BytesIO()
    Image.effect_noise(size, 60).save(buffer, kind, **options)
    return buffer.getvalue()


def workers() -> list[psutil.Process]:
    """Find the worker processes of this one."""
    below = psutil.Process().children(recursive=True)
    return [process for process in below if "mediakit.engines.workers.child" in " ".join(process.cmdline())]


def cpu_seconds() -> float:
    """Return the CPU time of all workers."""
    return sum(process.cpu_times().user for process in workers())


@pytest.mark.parametrize(
    ("size", "kind", "options"),
    [
        ((200, 100), "PNG", ConvertOptions(width=20)),
        ((4000, 3000), "JPEG", ConvertOptions(width=400)),
        ((200, 100), "TIFF", ConvertOptions(width=20)),
        ((200, 100), "PNG", ConvertOptions(width=20, format="avif")),
        ((3500, 3000), "WEBP", ConvertOptions(width=20)),
        ((200, 100), "PNG", ConvertOptions(max_bytes=3000, format="jpeg")),
    ],
    ids=["small", "jpeg", "tiff", "avif", "large", "limit"],
)
async def test_worker_and_this_process_return_equal_bytes(
    size: tuple[int, int], kind: str, options: ConvertOptions
) -> None:
    content = encoded(size, kind, **({"lossless": True, "method": 0, "quality": 0} if kind == "WEBP" else {}))
    arguments = {name: getattr(options, name) for name in options.__slots__}
    assert await convert_isolated(content, options) == convert(content, **arguments)


async def test_large_lossless_webp_takes_no_memory_of_this_process() -> None:
    buffer = BytesIO()
    Image.new("RGB", (16383, 3000), "red").save(buffer, "WEBP", lossless=True, method=0, quality=0)
    before = psutil.Process().memory_info().rss
    result = await convert_isolated(buffer.getvalue(), ConvertOptions(width=100))
    assert result.width == 100
    assert psutil.Process().memory_info().rss - before < 100_000_000


async def test_timeout_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CONVERSIONS, "CONVERSION", replace(CONVERSIONS.CONVERSION, seconds=0.05))
    with pytest.raises(InvalidInput, match=r"^file: takes more than 0\.05 seconds\. Request a smaller size"):
        await convert_isolated(encoded((3000, 3000)), ConvertOptions(format="avif"))


async def test_memory_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CONVERSIONS, "CONVERSION", replace(CONVERSIONS.CONVERSION, memory=80_000_000))
    with pytest.raises(InvalidInput, match=r"^file: needs too much memory\. Request a smaller size\.$"):
        await convert_isolated(encoded((6000, 6000), "JPEG"), ConvertOptions(quality=50))


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        (signal.SIGSEGV, InvalidInput, r"^file: is damaged and cannot be decoded"),
        (signal.SIGKILL, ServerBusy, "Try again in 5 seconds"),
    ],
)
async def test_crash_is_a_damaged_file_and_kill_from_outside_is_server_busy(
    number: signal.Signals, error: type[MediakitError], message: str
) -> None:
    await convert_isolated(encoded((20, 20), "TIFF"), ConvertOptions(width=5))
    content = encoded((6000, 6000))
    used = cpu_seconds()
    running = asyncio.ensure_future(convert_isolated(content, ConvertOptions(format="avif")))
    while cpu_seconds() < used + 0.3:  # noqa: ASYNC110  # another process uses it
        await asyncio.sleep(0.05)
    for process in workers():
        process.send_signal(number)
    with pytest.raises(error, match=message):
        await running
    assert (await convert_isolated(encoded((20, 20), "TIFF"), ConvertOptions(width=5))).width == 5


async def test_worker_raises_the_errors_of_this_process() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is (truncated|damaged)"):
        await convert_isolated(encoded((200, 100), "TIFF")[:-5000], ConvertOptions(width=5))


def test_meta_reports_original_size() -> None:
    content = encoded((200, 100), "TIFF")
    result = mediakit.images(content, width=50)
    assert result.meta["original_size_bytes"] == len(content)
