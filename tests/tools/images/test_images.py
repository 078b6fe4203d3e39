"""The `images` tool: metadata, fits, formats and inputs. tests/engines/raster checks the pixels."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE


def test_meta_reports_size_before_and_after() -> None:
    result = mediakit.images(LANDSCAPE, width=320, format="webp")
    assert result.meta == {
        "size_bytes": len(result.content),
        "format": "webp",
        "width": 320,
        "height": 200,
        "original_format": "jpeg",
        "original_width": 1600,
        "original_height": 1000,
        "original_size_bytes": LANDSCAPE.stat().st_size,
        "quality": 80,
    }


@pytest.mark.parametrize(
    ("fit", "size"),
    [
        ("cover", (300, 300)),
        ("contain", (300, 300)),
        ("fill", (300, 300)),
        ("inside", (300, 188)),
        ("outside", (480, 300)),
    ],
)
def test_fit_sets_result_size(fit: str, size: tuple[int, int]) -> None:
    result = mediakit.images(LANDSCAPE, width=300, height=300, fit=fit)  # type: ignore[arg-type]
    assert (result.width, result.height) == size
    assert result.to_pil().size == size


@pytest.mark.parametrize(("position", "red"), [("right", True), ("left", False), ("center", False)])
def test_position_sets_what_a_narrow_crop_keeps(position: str, red: bool) -> None:
    image = mediakit.images(LANDSCAPE, width=400, height=625, position=position).to_pil().convert("RGB")  # type: ignore[arg-type]
    pixels = image.tobytes()
    tent = sum(r > 180 and g < 110 and b < 100 for r, g, b in zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True))
    assert (tent > 500) is red


def test_attention_crop_keeps_the_sun_centered() -> None:
    image = mediakit.images(LANDSCAPE, width=400, height=625, position="attention").to_pil().convert("L")
    left, _, right, _ = image.point(lambda value: 255 if value > 235 else 0).getbbox() or (0, 0, 0, 0)
    assert 133 < (left + right) / 2 < 267


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "avif"])
def test_format_sets_output_format(kind: str) -> None:
    result = mediakit.images(LANDSCAPE, width=64, format=kind)  # type: ignore[arg-type]
    assert result.mime_type == f"image/{kind}"
    with Image.open(io.BytesIO(result.content)) as image:
        assert (image.format or "").lower() == kind


def test_lower_quality_returns_smaller_file() -> None:
    sizes = [len(mediakit.images(LANDSCAPE, quality=quality).content) for quality in (20, 50, 90)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    "file", [LANDSCAPE, LANDSCAPE.read_bytes(), bytearray(LANDSCAPE.read_bytes())], ids=["path", "bytes", "bytearray"]
)
def test_file_accepts_path_bytes_and_bytearray(file: bytes | Path) -> None:
    assert mediakit.images(file, width=10).height == 6


def test_file_accepts_path_as_string() -> None:
    assert mediakit.images(str(LANDSCAPE), width=10).height == 6


def test_missing_file_is_named_in_the_error() -> None:
    with pytest.raises(InvalidInput, match=r"file: cannot read 'nowhere.png': No such file"):
        mediakit.images(Path("nowhere.png"), width=10)


def test_file_of_more_than_20_megabytes_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "large.png").write_bytes(bytes(20 * 1024 * 1024 + 1))
    with pytest.raises(InvalidInput, match="file: must have at most 20 MB"):
        mediakit.images(tmp_path / "large.png", width=10)


def test_meta_reports_quality_that_was_applied() -> None:
    result = mediakit.images(LANDSCAPE, width=320, quality=60)
    assert (result.meta["quality"], result.meta["quality_applied"]) == (60, True)
    assert "warnings" not in result.meta


def test_meta_reports_that_quality_has_no_effect_on_png() -> None:
    result = mediakit.images(LANDSCAPE, width=320, format="png", quality=60)
    assert result.meta["quality_applied"] is False
    assert result.meta["warnings"] == [
        {"code": "quality_not_applied", "message": "quality: has no effect on PNG, which is lossless."}
    ]


def test_meta_reports_that_the_image_data_was_kept() -> None:
    small = mediakit.images(LANDSCAPE, width=320, quality=20)
    again = mediakit.images(small, quality=95)
    assert again.content == small.content
    assert "quality" not in again.meta
    assert again.meta["quality_applied"] is False
    assert again.meta["warnings"][0]["code"] == "quality_not_applied"


def test_meta_reports_quality_that_was_lowered_for_a_rotated_image() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    mediakit.images(LANDSCAPE, width=320).to_pil().save(buffer := io.BytesIO(), "JPEG", quality=40, exif=exif)
    result = mediakit.images(buffer.getvalue(), quality=95)
    assert (result.width, result.height) == (200, 320)
    assert len(result.content) <= len(buffer.getvalue())
    assert result.meta["quality_applied"] is False
    assert "the EXIF orientation was applied" in result.meta["warnings"][0]["message"]


def test_meta_reports_a_result_larger_than_the_input() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    noise = Image.effect_noise((320, 240), 90).convert("1").convert("P")
    noise.save(buffer := io.BytesIO(), "PNG", optimize=True, exif=exif, transparency=0)
    result = mediakit.images(buffer.getvalue(), format="png")
    assert (result.width, result.height) == (240, 320)
    assert len(result.content) > len(buffer.getvalue())
    assert result.meta["warnings"] == [
        {
            "code": "larger_than_input",
            "message": "file: the result is larger than the input, because the EXIF orientation was applied.",
        }
    ]


@pytest.mark.parametrize(
    ("options", "suggestion"),
    [
        ({"format": "jpg"}, "jpeg"),
        ({"width": 9, "fit": "covr"}, "cover"),
        ({"width": 9, "position": "centr"}, "center"),
    ],
)
def test_error_for_misspelled_option_suggests_the_valid_one(options: dict[str, Any], suggestion: str) -> None:
    with pytest.raises(InvalidInput, match=f'Did you mean "{suggestion}"'):
        mediakit.images(LANDSCAPE, **options)
