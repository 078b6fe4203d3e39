"""The tool `image_compare`."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE, LANDSCAPE_EDITED, REPORT
from mediakit.tools.images.image_compare.differences import regions_of


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def scene(shift: tuple[int, int] = (0, 0), size: tuple[int, int] = (240, 160)) -> Image.Image:
    image = Image.new("RGB", size, "#e8f0f8")
    draw = ImageDraw.Draw(image)
    for index in range(12):
        left, top = index * 37 % 200 + shift[0], index * 53 % 130 + shift[1]
        draw.ellipse(
            (left, top, left + 15 + index, top + 12 + index), fill=f"#{index * 20:02x}80{255 - index * 20:02x}"
        )
    return image


def with_box(box: tuple[int, int, int, int], color: str = "red", image: Image.Image | None = None) -> Image.Image:
    changed = (image or scene()).copy()
    left, top, width, height = box
    changed.paste(color, (left, top, left + width, top + height))
    return changed


BASE = encoded(scene())


def test_equal_images_are_the_same() -> None:
    result = mediakit.image_compare(BASE, encoded(scene(), "BMP"))
    assert (result.same, result.different_pixels, result.share, result.regions) == (True, 0, 0, [])
    assert (result.similarity, result.hash_distance, result.offset) == (1, 0, [0, 0])
    assert (result.width, result.height, result.size_equal) == (240, 160, True)
    assert result.meta["pixels_compared"] == 240 * 160
    result.assert_same(0)


def test_changed_areas_are_regions() -> None:
    changed = with_box((150, 100, 5, 5), image=with_box((30, 20, 25, 18)))
    result = mediakit.image_compare(BASE, encoded(changed))
    assert not result.same
    assert result.regions == [{"box": [30, 20, 25, 18], "pixels": 450}, {"box": [150, 100, 5, 5], "pixels": 25}]
    assert (result.different_pixels, result.share) == (475, round(475 / 38400, 8))
    assert 0.8 < result.similarity < 1


def test_diff_shows_different_pixels_in_red() -> None:
    result = mediakit.image_compare(BASE, encoded(with_box((30, 20, 25, 18))))
    image = result.to_pil().convert("RGB")
    assert (result.mime_type, image.size) == ("image/png", (240, 160))
    assert image.getpixel((40, 30)) == (224, 0, 32)
    red, green, blue = image.getpixel((200, 150))  # type: ignore[misc]  # RGB
    assert red == green == blue > 200


@pytest.mark.parametrize(("threshold", "same"), [(0, False), (0.01, False), (0.1, True)])
def test_threshold_is_a_color_distance(threshold: float, same: bool) -> None:
    first, second = Image.new("RGB", (9, 9), "#808080"), Image.new("RGB", (9, 9), "#888888")
    assert mediakit.image_compare(encoded(first), encoded(second), threshold=threshold).same is same


def test_distance_of_black_and_white_is_1() -> None:
    first, second = encoded(Image.new("L", (5, 5), 0)), encoded(Image.new("L", (5, 5), 255))
    assert mediakit.image_compare(first, second, threshold=0.999).different_pixels == 25
    assert mediakit.image_compare(first, second, threshold=1).same


def test_ignored_areas_are_not_counted() -> None:
    changed = encoded(with_box((150, 100, 5, 5), image=with_box((30, 20, 25, 18))))
    result = mediakit.image_compare(BASE, changed, ignore=[[28, 18, 30, 25], [150, 100, 5, 4]])
    assert (result.different_pixels, result.meta["pixels_compared"]) == (5, 240 * 160 - 30 * 25 - 20)
    assert result.regions == [{"box": [150, 104, 5, 1], "pixels": 5}]


@pytest.mark.parametrize("box", [[640, 0, 5, 5], [0, 479, 10, 2], [639, 0, 2, 1]])
def test_ignored_area_outside_is_an_error(box: list[int]) -> None:
    blank = encoded(Image.new("L", (640, 480)))
    with pytest.raises(InvalidInput, match=r"^ignore\[0\]: lies outside the picture \(640 x 480\)\.$"):
        mediakit.image_compare(blank, blank, ignore=[box])


@pytest.mark.parametrize("ignore", [[[0, 0, 5]], [[0, 0, 0, 5]], [[-1, 0, 5, 5]], [[0, 0, 1, 1]] * 51])
def test_ignored_areas_are_checked(ignore: list[list[int]]) -> None:
    with pytest.raises(InvalidInput, match=r"^ignore"):
        mediakit.image_compare(BASE, BASE, ignore=ignore)


def test_antialiasing_is_ignored_unless_it_counts() -> None:
    def circle(scale: int) -> bytes:
        large = Image.new("L", (200 * scale, 120 * scale), 255)
        ImageDraw.Draw(large).polygon([(20 * scale, 100 * scale), (90 * scale, 12 * scale), (180 * scale, 90 * scale)])
        ImageDraw.Draw(large).ellipse([n * scale for n in (60, 30, 140, 100)], fill=0)
        return encoded(large.resize((200, 120), Image.Resampling.BOX))

    ignored = mediakit.image_compare(circle(3), circle(5), threshold=0.03)
    counted = mediakit.image_compare(circle(3), circle(5), threshold=0.03, antialiasing="count")
    assert counted.different_pixels > ignored.different_pixels
    colors = {color: count for count, color in ignored.to_pil().convert("RGB").getcolors() or ()}
    assert colors[(255, 212, 0)] == counted.different_pixels - ignored.different_pixels


@pytest.mark.parametrize("shift", [(3, 2), (-7, 5), (0, -6), (11, -8), (0, 0)])
def test_align_finds_a_shift(shift: tuple[int, int]) -> None:
    result = mediakit.image_compare(BASE, encoded(scene(shift)), align=True)
    assert (result.offset, result.same) == (list(shift), True)
    assert result.meta["pixels_compared"] == (240 - abs(shift[0])) * (160 - abs(shift[1]))


def test_align_finds_a_shift_of_large_images() -> None:
    image = Image.open(LANDSCAPE).convert("RGB")
    first, second = image.crop((40, 30, 1560, 970)), image.crop((5, 43, 1525, 983))
    result = mediakit.image_compare(encoded(first), encoded(second), align=True, output_image="none")
    assert (result.offset, result.same) == ([35, -13], True)


def test_shift_beyond_5_percent_is_not_found() -> None:
    assert mediakit.image_compare(BASE, encoded(scene((40, 0))), align=True).offset[0] <= 12


def test_sizes_that_differ_are_different_or_resized() -> None:
    larger = encoded(scene(size=(250, 170)))
    strict = mediakit.image_compare(BASE, larger)
    assert (strict.same, strict.size_equal, strict.width, strict.height) == (False, False, 250, 170)
    assert strict.different_pixels == 250 * 170 - 240 * 160
    doubled = encoded(scene().resize((480, 320), Image.Resampling.LANCZOS))
    resized = mediakit.image_compare(BASE, doubled, size="resize")
    assert (resized.width, resized.height, resized.size_equal) == (240, 160, False)
    assert resized.share < 0.01


def test_transparent_and_white_differ() -> None:
    first = encoded(Image.new("RGBA", (20, 20), (255, 255, 255, 0)))
    assert mediakit.image_compare(first, encoded(Image.new("RGB", (20, 20), "white"))).different_pixels == 400
    hidden = encoded(Image.new("RGBA", (20, 20), (9, 90, 200, 0)))
    assert mediakit.image_compare(first, hidden).same


def test_images_are_compared_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = encoded(scene().transpose(Image.Transpose.ROTATE_90), exif=exif)
    assert mediakit.image_compare(BASE, turned).same


def test_first_frames_of_animations_are_compared() -> None:
    animation = encoded(scene(), "PNG", save_all=True, append_images=[with_box((0, 0, 90, 90))], duration=50)
    result = mediakit.image_compare(BASE, animation)
    assert result.same
    assert result.meta["warnings"] == ["file2: is an animation; only its first frame is compared."]


def test_images_side_by_side() -> None:
    result = mediakit.image_compare(BASE, encoded(with_box((30, 20, 25, 18))), output_image="side_by_side")
    image = result.to_pil().convert("RGB")
    assert image.size == (240 * 3 + 32, 160)
    assert image.getpixel((256 + 40, 30)) == (255, 0, 0)
    assert image.getpixel((512 + 40, 30)) == (224, 0, 32)
    assert (result.width, result.height) == (240, 160)


def test_blink_alternates_between_both_images() -> None:
    result = mediakit.image_compare(BASE, encoded(with_box((30, 20, 25, 18))), output_image="blink")
    image = Image.open(io.BytesIO(result.content))
    assert (result.mime_type, getattr(image, "n_frames", 1), image.info["loop"]) == ("image/webp", 2, 0)


def test_without_an_image_the_content_is_json() -> None:
    result = mediakit.image_compare(BASE, BASE, output_image="none")
    assert (result.mime_type, result._has_file()) == ("application/json", False)
    assert b'"same": true' in result.content


def test_result_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"\.same"):
        bool(mediakit.image_compare(BASE, BASE))


def test_comparisons_of_a_saved_batch_are_read_from_their_files(tmp_path: Path) -> None:
    rows = [{"file": LANDSCAPE, "file2": LANDSCAPE_EDITED}, {"file": LANDSCAPE, "file2": LANDSCAPE}]
    made = mediakit.batch(mediakit.image_compare, rows, to=tmp_path)
    assert [comparison.same for comparison in made.values()] == [False, True]


def test_assert_same_raises_with_the_verdict() -> None:
    result = mediakit.image_compare(BASE, encoded(with_box((30, 20, 25, 18))))
    with pytest.raises(AssertionError) as raised:
        result.assert_same()
    assert str(raised.value) == "450 pixels differ (1.17 %) in 1 region. At most 0.10 % may differ."
    result.assert_same(share=0.02)


def test_notebook_shows_the_verdict_above_the_image() -> None:
    shown = mediakit.image_compare(LANDSCAPE, LANDSCAPE_EDITED)._repr_mimebundle_()[0]["text/html"]
    verdict, image = shown.index("pixels differ"), shown.index("<img")
    assert verdict < image


def test_notebook_explains_colors_of_the_difference_image_only() -> None:
    pair = BASE, encoded(with_box((30, 20, 25, 18)))
    shown = mediakit.image_compare(*pair)._repr_mimebundle_()[0]["text/html"]
    assert "25 × 18 at 30, 20 (450 pixels)" in shown
    assert shown.index("<img") < shown.index("smoothed edges, not counted")
    blink = mediakit.image_compare(*pair, output_image="blink")._repr_mimebundle_()[0]["text/html"]
    assert "smoothed edges" not in blink


@pytest.mark.parametrize("field", ["file", "file2"])
def test_errors_name_the_field(field: str) -> None:
    files: dict[str, Any] = {"file": BASE, "file2": BASE, field: REPORT}
    with pytest.raises(InvalidInput, match=rf"^{field}: is not a picture that can be read \(it is a PDF\)\.$"):
        mediakit.image_compare(**files)


def test_regions_join_pixels_up_to_8_apart() -> None:
    mask = np.zeros((40, 60), bool)
    mask[[5, 5, 13, 39], [5, 13, 21, 59]] = True
    found, count = regions_of(mask)
    assert found == [{"box": [5, 5, 17, 9], "pixels": 3}, {"box": [59, 39, 1, 1], "pixels": 1}]
    assert count == 2
    mask[5, 13] = False
    assert regions_of(mask)[1] == 3


def test_regions_of_noise_are_those_of_a_flood_fill() -> None:
    generator = np.random.default_rng(3)
    for share in (0.001, 0.004, 0.02):
        mask = generator.random((120, 150)) < share
        found, count = regions_of(mask)
        left = {tuple(point) for point in np.argwhere(mask).tolist()}
        expected = []
        while left:
            group, border = set(), [left.pop()]
            while border:
                y, x = border.pop()
                group.add((y, x))
                near = {(b, a) for b, a in left if abs(a - x) <= 8 and abs(b - y) <= 8}
                left -= near
                border += near
            ys, xs = zip(*group, strict=True)
            box = (min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
            expected.append((box, len(group)))
        assert count == len(expected)
        assert sorted((tuple(one["box"]), one["pixels"]) for one in found) == sorted(expected)[:100]
        assert [one["pixels"] for one in found] == sorted((one["pixels"] for one in found), reverse=True)
