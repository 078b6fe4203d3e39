"""The `image_animate` tool: frames, delays, loops, transparency, sizes and errors. Results are read with Pillow."""

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.files import FilesResult, ImageResult
from mediakit.samples import LANDSCAPE
from mediakit.tools.images.image_animate import tool as tool_module
from tests.conftest import Api

COLORS = ("navy", "teal", "gold", "gold", "pink")


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def flat(color: str, size: tuple[int, int] = (60, 40), mode: str = "RGB") -> bytes:
    return encoded(Image.new(mode, size, color))


def photos(count: int = 4) -> list[bytes]:
    image = Image.open(LANDSCAPE).resize((240, 150))
    return [encoded(image.rotate(5 * number)) for number in range(count)]


def frames_of(content: bytes) -> tuple[list[np.ndarray], list[float]]:
    image = Image.open(io.BytesIO(content))
    pixels, delays = [], []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        delays.append(image.info["duration"])
        pixels.append(np.asarray(image.convert("RGBA")).astype(int))
    return pixels, delays


@pytest.mark.parametrize("kind", ["webp", "png"])
def test_delays_loop_and_equal_frames_are_kept(kind: Any) -> None:
    delays = [40, 400, 80, 1000, 33]
    result = mediakit.image_animate(
        [flat(color) for color in COLORS], delay_ms=delays, loop=3, format=kind, quality=100
    )
    pixels, found = frames_of(result.content)
    assert found == delays
    assert Image.open(io.BytesIO(result.content)).info["loop"] == 3
    assert result.meta["frames"] == 5
    assert result.meta["duration_ms"] == 1553
    expected = [Image.new("RGB", (1, 1), color).getpixel((0, 0)) for color in COLORS]
    assert [tuple(frame[20, 20, :3]) for frame in pixels] == expected


def test_gif_delays_are_rounded_so_that_their_sum_is_right() -> None:
    result = mediakit.image_animate([flat(color) for color in COLORS], delay_ms=[35, 25, 33, 33, 24], format="gif")
    pixels, delays = frames_of(result.content)
    assert len(pixels) == 5
    assert abs(sum(delays) - 150) <= 10
    assert all(abs(delay - wanted) <= 10 for delay, wanted in zip(delays, [35, 25, 33, 33, 24], strict=True))
    assert result.meta["duration_ms"] == 150


def test_gif_is_closer_to_photographs_than_that_of_pillow() -> None:
    sources = photos()
    images = [Image.open(io.BytesIO(content)).convert("RGB") for content in sources]
    pillow = encoded(images[0], "GIF", save_all=True, append_images=images[1:], duration=100)
    ours = mediakit.image_animate(sources, format="gif").content

    def quality(content: bytes) -> float:
        pairs = zip(frames_of(content)[0], images, strict=True)
        errors = [((frame[..., :3] - np.asarray(image).astype(int)) ** 2).mean() for frame, image in pairs]
        return float(np.mean([10 * np.log10(255**2 / error) for error in errors]))

    assert quality(ours) >= quality(pillow) + 3
    assert len(ours) <= 1.3 * len(pillow)


def test_gif_of_few_colors_is_exact() -> None:
    sources = [flat(color) for color in COLORS]
    pixels, _ = frames_of(mediakit.image_animate(sources, format="gif").content)
    expected = [np.asarray(Image.open(io.BytesIO(content)).convert("RGBA")).astype(int) for content in sources]
    assert all((frame == wanted).all() for frame, wanted in zip(pixels, expected, strict=True))


def test_gif_transparency_leaves_no_traces_of_earlier_frames() -> None:
    images = []
    for number in range(4):
        image = Image.new("RGBA", (80, 40), (0, 0, 0, 0))
        image.paste((255, 0, 0, 255), (20 * number, 10, 20 * number + 15, 30))
        image.paste((0, 0, 255, 127), (0, 32, 80, 36))
        image.paste((0, 0, 255, 128), (0, 36, 80, 40))
        images.append(image)
    result = mediakit.image_animate([encoded(image) for image in images], format="gif")
    pixels, _ = frames_of(result.content)
    for frame, image in zip(pixels, images, strict=True):
        alpha = np.asarray(image)[..., 3]
        assert ((frame[..., 3] == 255) == (alpha >= 128)).all()


def test_animation_is_converted_with_its_delays_and_loop() -> None:
    source = mediakit.image_animate([flat(color) for color in COLORS], delay_ms=[40, 400, 80, 1000, 20], loop=7)
    for kind in ("png", "webp", "gif"):
        result = mediakit.image_animate([source.content], format=kind)
        assert frames_of(result.content)[1] == [40, 400, 80, 1000, 20]
        assert result.meta["loop"] == 7
    retimed = mediakit.image_animate(source, delay_ms=50, loop=0)
    assert frames_of(retimed.content)[1] == [50] * 5
    assert retimed.meta["loop"] == 0


def test_frames_are_a_zip_of_pngs_with_their_delays() -> None:
    source = mediakit.image_animate([flat(color) for color in COLORS], delay_ms=[40, 400, 80, 1000, 20], loop=2)
    result = mediakit.image_animate(source, frames=True)
    assert isinstance(result, FilesResult)
    assert result.names == [*(f"frame-00{number}.png" for number in range(1, 6)), "frames.json"]
    with ZipFile(io.BytesIO(result.content)) as archive:
        described = json.loads(archive.read("frames.json"))
        assert Image.open(archive.open("frame-002.png")).size == (60, 40)
    assert described["delays_ms"] == [40, 400, 80, 1000, 20]
    assert described["loop"] == 2


def test_bounce_plays_forward_and_back() -> None:
    result = mediakit.image_animate([flat(color) for color in COLORS[:3]], bounce=True, quality=100)
    pixels, _ = frames_of(result.content)
    shown = [tuple(frame[0, 0, :3]) for frame in pixels]
    assert len(shown) == 4
    assert shown[1] == shown[3] != shown[2]


def test_crossfade_blends_and_adds_its_time() -> None:
    result = mediakit.image_animate([flat("black"), flat("white")], crossfade_ms=330, quality=100)
    pixels, delays = frames_of(result.content)
    levels = [int(frame[0, 0, 0]) for frame in pixels]
    assert levels == sorted(levels)
    assert len(levels) > 5
    assert sum(delays) == result.meta["duration_ms"] == 530
    assert min(delays) >= 20


@pytest.mark.parametrize(
    ("fit", "background", "corner", "middle"),
    [
        ("contain", None, (0, 0, 0, 0), (255, 0, 0, 255)),
        ("contain", "lime", (0, 255, 0, 255), (255, 0, 0, 255)),
        ("cover", None, (255, 0, 0, 255), (255, 0, 0, 255)),
        ("fill", None, (255, 0, 0, 255), (255, 0, 0, 255)),
    ],
)
def test_fit_places_images_of_other_proportions(fit: Any, background: Any, corner: Any, middle: Any) -> None:
    files = [flat("blue", (60, 40)), flat("red", (40, 60))]
    result = mediakit.image_animate(files, fit=fit, background=background, format="png")
    pixels, _ = frames_of(result.content)
    assert (result.meta["width"], result.meta["height"]) == (60, 40)
    assert tuple(pixels[1][20, 1]) == corner
    assert tuple(pixels[1][20, 30]) == middle


def test_borders_of_gif_are_white() -> None:
    result = mediakit.image_animate([flat("blue", (60, 40)), flat("red", (40, 60))], format="gif")
    assert tuple(frames_of(result.content)[0][1][20, 1]) == (255, 255, 255, 255)


def test_width_alone_keeps_the_aspect_ratio() -> None:
    result = mediakit.image_animate([flat("blue"), flat("red")], width=30)
    assert (result.meta["width"], result.meta["height"]) == (30, 20)


def test_images_become_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    files = [encoded(Image.new("RGB", (60, 40), color), "JPEG", exif=exif) for color in ("red", "blue")]
    assert mediakit.image_animate(files).meta["width"] == 40


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
def test_max_bytes_is_met_and_said(kind: Any) -> None:
    full = mediakit.image_animate(photos(3), format=kind, quality=95)
    limit = max(10_000, len(full.content) // 3)
    result = mediakit.image_animate(photos(3), format=kind, quality=95, max_bytes=limit)
    assert len(result.content) <= limit
    assert result.meta["frames"] == 3
    assert any(warning.startswith("max_bytes: ") for warning in result.meta["warnings"])


def test_max_bytes_that_cannot_be_reached_is_an_error() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (40, 20, 30, 3), dtype=np.uint8)
    with pytest.raises(InvalidInput, match=r"^max_bytes: cannot be reached \(smallest was \d+ kB\)\.$"):
        mediakit.image_animate([encoded(Image.fromarray(each)) for each in noise], format="gif", max_bytes=10_000)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"files": [flat("red")]}, "files: send 2-60 pictures or one animation."),
        ({"files": [flat("red")] * 4, "delay_ms": [50, 50, 50]}, "delay_ms: 3 delays for 4 pictures."),
        ({"files": [flat("red")] * 2, "delay_ms": 10}, "delay_ms: must be between 20 and 60000 milliseconds, got 10."),
        ({"files": [flat("red"), b"hello"]}, "files[1]: is not a PNG, JPEG, WebP, AVIF, GIF or TIFF image."),
    ],
)
def test_bad_input_is_refused(call: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.image_animate(**call)
    assert error.value.message == message


def test_only_images_of_a_folder_are_frames(tmp_path: Path) -> None:
    for number, color in enumerate(("red", "green")):
        Image.new("RGB", (8, 8), color).save(tmp_path / f"{number}.png")
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "Thumbs.db").write_bytes(b"cache")
    with pytest.warns(UserWarning, match=r"omitted Thumbs\.db, notes\.txt\. Each is not an image\."):
        assert mediakit.image_animate(tmp_path).meta["frames"] == 2
    (tmp_path / "0.png").unlink()
    (tmp_path / "1.png").unlink()
    with pytest.raises(InvalidInput, match=r"^files: .* has no file that is an image\.$"):
        mediakit.image_animate(tmp_path)


def test_delays_can_be_text() -> None:
    result = mediakit.image_animate([flat("red"), flat("blue")], delay_ms="50, 70")
    assert isinstance(result, ImageResult)
    assert frames_of(result.content)[1] == [50, 70]


@pytest.mark.anyio
async def test_raw_body_is_one_animation(api: Api) -> None:
    source = mediakit.image_animate([flat("red"), flat("blue")], delay_ms=70)
    answer = await api.raw("/image-animate", source.content, "image/webp", format="png", delay_ms="30,40")
    assert answer.status_code == 200, answer.text
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert frames_of(answer.content)[1] == [30, 40]
    answer = await api.raw("/image-animate", source.content, "image/webp", frames="true")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")


@pytest.mark.anyio
async def test_json_has_an_image_or_a_file(api: Api) -> None:
    files = [base64.b64encode(flat(color)).decode() for color in ("red", "blue")]
    answer = (await api.json("/image-animate", {"files": files})).json()
    assert answer["mime_type"] == "image/webp"
    assert frames_of(base64.b64decode(answer["image"]))[1] == [100, 100]
    assert answer["meta"]["frames"] == 2
    answer = (await api.json("/image-animate", {"files": files, "frames": True})).json()
    assert (answer["filename"], answer["mime_type"]) == ("frames.zip", "application/zip")
    answer = await api.json("/image-animate", {"files": files, "delay_ms": [50]})
    assert (answer.status_code, answer.json()["error"]) == (400, "delay_ms: 1 delays for 2 pictures.")


def test_same_input_gives_the_same_bytes() -> None:
    calls = [mediakit.image_animate(photos(2), format="gif").content for _ in range(2)]
    assert calls[0] == calls[1]


def test_slow_work_is_not_convertible(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tool_module.ANIMATION.seconds == 10
    monkeypatch.setattr(tool_module, "ANIMATION", replace(tool_module.ANIMATION, seconds=0.01))
    files = photos(40)
    for frames in (False, True):
        with pytest.raises(NotConvertible, match=r"^The animation took longer than 0\.01 seconds\.$"):
            mediakit.image_animate(files, frames=frames)


def test_cover_takes_images_of_any_aspect_ratio() -> None:
    images = [flat("red", (97, 61)), flat("blue", (61, 97)), flat("lime", (97, 31))]
    for width in range(20, 100, 7):
        result = mediakit.image_animate(images, width=width, height=80, fit="cover", format="png")
        assert (result.width, result.height) == (width, 80)
        assert all((frame[..., 3] == 255).all() for frame in frames_of(result.content)[0])
