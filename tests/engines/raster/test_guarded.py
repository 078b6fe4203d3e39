"""Heavy and risky pictures are worked on elsewhere, and whatever happens there is a refusal with words."""

import asyncio
import signal
from io import BytesIO

import psutil
import pytest
from PIL import Image

import mediakit
from mediakit.engines.raster import Recipe, convert_guarded, guarded
from mediakit.errors import InvalidInput, MediakitError, ServerBusy
from tests.support.raster_kit import convert

pytestmark = pytest.mark.anyio


def encoded(size: tuple[int, int], kind: str = "PNG", **options: object) -> bytes:
    buffer = BytesIO()
    Image.effect_noise(size, 60).save(buffer, kind, **options)
    return buffer.getvalue()


def workers() -> list[psutil.Process]:
    """Find the worker processes of this one."""
    below = psutil.Process().children(recursive=True)
    return [process for process in below if "mediakit.engines.workers.child" in " ".join(process.cmdline())]


@pytest.mark.parametrize(
    ("content", "recipe"),
    [
        (encoded((200, 100)), Recipe(width=20)),
        (encoded((4000, 3000), "JPEG"), Recipe(width=400)),
        (encoded((200, 100), "TIFF"), Recipe(width=20)),
        (encoded((200, 100)), Recipe(width=20, format="avif")),
        (encoded((3500, 3000), "WEBP", lossless=True, method=0, quality=0), Recipe(width=20)),
        (encoded((200, 100)), Recipe(max_bytes=3000, format="jpeg")),
    ],
    ids=["small", "jpeg", "tiff", "avif", "large", "limit"],
)
async def test_gives_the_same_bytes_wherever_it_is_made(content: bytes, recipe: Recipe) -> None:
    wishes = {name: getattr(recipe, name) for name in recipe.__slots__}
    assert await convert_guarded(content, recipe) == convert(content, **wishes)


async def test_a_large_lossless_webp_leaves_this_process_as_it_was() -> None:
    buffer = BytesIO()
    Image.new("RGB", (16383, 3000), "red").save(buffer, "WEBP", lossless=True, method=0, quality=0)
    before = psutil.Process().memory_info().rss
    made = await convert_guarded(buffer.getvalue(), Recipe(width=100))
    assert made.width == 100
    assert psutil.Process().memory_info().rss - before < 100_000_000


async def test_what_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "SECONDS", 0.05)
    with pytest.raises(InvalidInput, match=r"^file: takes more than 0\.05 seconds; ask for a smaller size"):
        await convert_guarded(encoded((3000, 3000)), Recipe(format="avif"))


async def test_what_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "MEMORY", 80_000_000)
    with pytest.raises(InvalidInput, match=r"^file: needs too much memory; ask for a smaller size\.$"):
        await convert_guarded(encoded((6000, 6000), "JPEG"), Recipe(quality=50))


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        (signal.SIGSEGV, InvalidInput, r"^file: is damaged and cannot be read"),
        (signal.SIGKILL, ServerBusy, "Try again in 5 seconds"),
    ],
)
async def test_crash_is_a_damaged_file_and_kill_from_outside_is_server_busy(
    number: signal.Signals, error: type[MediakitError], message: str
) -> None:
    await convert_guarded(encoded((20, 20), "TIFF"), Recipe(width=5))
    running = asyncio.ensure_future(convert_guarded(encoded((6000, 6000)), Recipe(format="avif")))
    await asyncio.sleep(0.5)
    for process in workers():
        process.send_signal(number)
    with pytest.raises(error, match=message):
        await running
    assert (await convert_guarded(encoded((20, 20), "TIFF"), Recipe(width=5))).width == 5


async def test_refusals_of_a_worker_are_those_of_this_process() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is (cut short|damaged)"):
        await convert_guarded(encoded((200, 100), "TIFF")[:-5000], Recipe(width=5))


def test_the_tool_says_how_large_the_picture_was() -> None:
    content = encoded((200, 100), "TIFF")
    made = mediakit.images(content, width=50)
    assert made.meta["original_size_bytes"] == len(content)
