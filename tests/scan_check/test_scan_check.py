"""`mediakit.scan_check`: which printed QR codes are read, and what to change."""

from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LANDSCAPE, LOGO
from mediakit.scan_check import measure

TEXT = "https://example.com/menu"


def advice(**options: Any) -> str:
    return "\n".join(mediakit.scan_check(mediakit.qr(**{"data": TEXT, **options})).advice)


def test_short_code_scans_well_from_15_mm() -> None:
    report = mediakit.scan_check(mediakit.qr(TEXT))
    assert report.score >= 90
    assert report.verdict == "Scans well"
    assert report.min_size_mm == 15
    assert report.advice == ()


def test_report_has_every_size_and_condition() -> None:
    report = mediakit.scan_check(mediakit.qr(TEXT), sizes_mm=(25, 12.5))
    conditions = ["straight", "blurred", "tilted", "scratched", "low light"]
    assert [(check.size_mm, check.condition) for check in report.checks] == [
        (size, name) for size in (12.5, 25) for name in conditions
    ]
    assert all(0 <= check.read <= check.photos == 2 for check in report.checks)
    frame = report.to_frame()
    assert list(frame.columns) == ["size_mm", "condition", "photos", "read"]
    assert len(frame) == 10


def test_same_code_has_same_report() -> None:
    assert mediakit.scan_check(mediakit.qr(TEXT)) == mediakit.scan_check(mediakit.qr(TEXT))


def test_larger_prints_are_read_at_least_as_often() -> None:
    report = mediakit.scan_check(mediakit.qr("x" * 300, size=900), sizes_mm=(10, 20, 40))
    read = {size: sum(check.read for check in report.checks if check.size_mm == size) for size in (10, 20, 40)}
    assert read[10] < read[20] < read[40]


def test_long_text_lowers_score_and_names_its_modules() -> None:
    code = mediakit.qr("x" * 300, size=900)
    report = mediakit.scan_check(code)
    assert report.score < mediakit.scan_check(mediakit.qr(TEXT)).score - 20
    assert report.advice == ("Print it 30 mm wide or wider, or shorten the text: the code has 69 × 69 modules.",)


def test_low_contrast_lowers_score_and_names_contrast() -> None:
    report = mediakit.scan_check(mediakit.qr(TEXT, dark="#aaaaaa"))
    assert report.score < 80
    assert report.advice[0] == "Use colors of more contrast: it is 2.3, scanners need 3 or more."


def test_contrast_is_that_of_lightest_part_of_gradient() -> None:
    image = mediakit.qr(TEXT, gradient="#f97316", gradient_type="radial").to_pil().convert("L")
    measured = measure(image)
    assert measured
    assert 2.5 < measured.contrast < 6


def test_inverted_code_is_never_rated_as_good() -> None:
    report = mediakit.scan_check(mediakit.qr(TEXT, dark="#ffffff", light="#000000"))
    assert report.verdict == "Hard to scan"
    assert report.advice[0].startswith("Use dark modules on a light background")


@pytest.mark.parametrize("style", ["square", "rounded", "dots", "leaf"])
@pytest.mark.parametrize("finder", ["square", "circle"])
def test_dark_code_is_not_called_inverted(style: str, finder: str) -> None:
    assert "Use dark modules" not in advice(style=style, finder=finder)


def test_thin_quiet_zone_is_named() -> None:
    assert "Set margin to 4: the quiet zone is 0.3 modules wide" in advice(margin=0)


def test_large_logo_uses_error_correction() -> None:
    assert "Omit the logo or shorten the text: 55% of the error correction is used" in advice(logo=LOGO)
    assert "logo" not in advice(ecc="H")


def test_unreadable_code_has_score_0() -> None:
    report = mediakit.scan_check(mediakit.qr(TEXT, dark="#fefefe"))
    assert (report.score, report.verdict, report.min_size_mm, report.checks) == (0, "Does not scan", None, ())
    assert report.advice[0].startswith("The reader finds no QR code.")


def test_photo_without_code_has_score_0() -> None:
    assert mediakit.scan_check(LANDSCAPE).score == 0


def test_files_svgs_and_results_have_equal_reports(tmp_path: Any) -> None:
    code = mediakit.qr(TEXT, size=600)
    path = code.save(tmp_path / "code.png")
    assert mediakit.scan_check(path) == mediakit.scan_check(str(path)) == mediakit.scan_check(code)
    vector = mediakit.scan_check(mediakit.qr(TEXT, size=600, format="svg"))
    assert vector.score == pytest.approx(mediakit.scan_check(code).score, abs=12)


def test_transparent_code_is_checked_on_background() -> None:
    code = mediakit.qr(TEXT, transparent=True)
    assert mediakit.scan_check(code).score > 80
    assert mediakit.scan_check(code, background="#101010").score == 0


def test_report_is_displayed_as_table_with_text_for_each_mark() -> None:
    markup = mediakit.scan_check(mediakit.qr(TEXT))._repr_html_()
    assert "Scans well</b> from a width of 15 mm" in markup
    assert markup.count('<th scope="row"') == 4
    assert markup.count('<th scope="col"') == 5
    assert ">yes</span>" in markup
    assert "<script" not in markup


@pytest.mark.parametrize("sizes", [(), (4,), (101,), tuple(range(10, 21))])
def test_invalid_sizes_are_rejected(sizes: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^sizes_mm: must be 1 to 10 sizes between 5 and 100 mm, got"):
        mediakit.scan_check(mediakit.qr(TEXT), sizes_mm=sizes)


def test_invalid_files_and_colors_are_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^code: .*PNG"):
        mediakit.scan_check(b"not an image")
    with pytest.raises(InvalidInput, match=r"^code: there is no file"):
        mediakit.scan_check("missing file.png")
    with pytest.raises(InvalidInput, match=r"^background: must be a color"):
        mediakit.scan_check(mediakit.qr(TEXT), background="nothing")


@pytest.mark.parametrize("sizes", [20, ["wide"], None])
def test_sizes_other_than_a_list_of_numbers_are_an_error(sizes: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^sizes_mm: must be 1 to 10 sizes between 5 and 100 mm, got "):
        mediakit.scan_check(mediakit.qr("hi"), sizes_mm=sizes)
