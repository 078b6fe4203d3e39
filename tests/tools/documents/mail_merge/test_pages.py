"""`mail_merge` with templates and own HTML: names, texts, codes, bookmarks and reports."""

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pymupdf
import pytest
import zxingcpp
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import BADGE_HTML, LOGO, PARTICIPANTS
from mediakit.tools.documents.mail_merge.tool import GUESTS
from tests.support.pdf_kit import outline_titles, texts

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

NAMES: list[dict[str, Any]] = [{"name": "Ada"}, {"name": "Bo"}]


def words(content: bytes) -> list[str]:
    return [" ".join(text.split()) for text in texts(content)]


def entries(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def page_image(content: bytes, page: int = 0, dpi: int = 200) -> Image.Image:
    with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        pixmap = document[page].get_pixmap(dpi=dpi)
        return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


def codes(image: Image.Image) -> dict[str, str]:
    return {str(code.format).rpartition(".")[2].replace(" ", ""): code.text for code in zxingcpp.read_barcodes(image)}


def failure(*args: Any, **values: Any) -> str:
    with pytest.raises(InvalidInput) as error:
        mediakit.mail_merge(*args, **values)
    return str(error.value)


def test_table_file_becomes_a_certificate_for_each_row() -> None:
    made = mediakit.mail_merge(PARTICIPANTS, template="certificate", filename="{n:03} {recipient}", landscape=True)
    assert made.names[:2] == ["001 Ada Lovelace.pdf", "002 Grace O’Malley-Hopper.pdf"]
    assert (len(made), made.meta["count"], made.meta["failed"]) == (6, 6, 0)
    text = words(made["001 Ada Lovelace.pdf"].content)[0]
    assert "Ada Lovelace" in text
    assert "Notes on the Analytical Engine" in text
    assert codes(page_image(made[4].content)) == {"QRCode": "https://example.com/verify/OLI-2026-0105"}
    assert "Example text of the template is in 6 documents: title, intro" in made.meta["warnings"][0]


def test_archive_has_the_documents_and_a_report() -> None:
    made = mediakit.mail_merge([{"recipient": "Ada"}, {"recipient": " "}], template="certificate")
    files = entries(made.content)
    assert list(files) == ["1.pdf", "report.csv"]
    assert files["1.pdf"] == made[0].content
    rows = list(csv.DictReader(io.StringIO(files["report.csv"].decode())))
    assert [(row["row"], row["filename"], row["ok"], row["error"], row["pages"]) for row in rows] == [
        ("1", "1.pdf", "true", "", "1"),
        ("2", "", "false", "recipient must not be empty.", ""),
    ]
    assert made.report["error"].tolist()[1] == "recipient must not be empty."
    assert made.report["defaults_used"][0][0] == "title"


def test_merged_pdf_has_a_bookmark_for_each_row() -> None:
    made = mediakit.mail_merge(
        GUESTS, html=BADGE_HTML, data={"event": "Summit"}, filename="{name}", format="A5", merge=True
    )
    assert (made.pages, made.meta["count"], made.filename) == (3, 3, "documents.pdf")
    assert outline_titles(made.content) == ["Ada Lovelace", "Grace O’Malley & Sons", "Zu Chongzhi"]
    with pymupdf.open(stream=made.content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        assert [page for _, _, page in document.get_toc()] == [1, 2, 3]
        assert [round(side) for side in document[0].rect[2:]] == [420, 595]
    assert "Grace O’Malley & Sons" in words(made.content)[1]
    assert codes(page_image(made.content, 1)) == {"QRCode": "https://example.com/grace", "Code128": "SUMMIT-0002"}
    assert made.report["filename"].tolist()[2] == "Zu Chongzhi.pdf"


def test_codes_work_in_attributes() -> None:
    html = '<img src="{{ url | qr }}" width=200><img src="{{ id | barcode }}" width=300 height=60>'
    made = mediakit.mail_merge([{"url": "https://example.com/?a=1&b=<2>", "id": "A-1"}], html=html, to="png")
    image = Image.open(io.BytesIO(made[0].content)).convert("RGB")
    assert codes(image) == {"QRCode": "https://example.com/?a=1&b=<2>", "Code128": "A-1"}


def test_images_have_the_asked_size() -> None:
    made = mediakit.mail_merge(NAMES, html="<p>{{ name }}</p>", to="png", width=300, height=200)
    assert made.names == ["1.png", "2.png"]
    assert [Image.open(io.BytesIO(each.content)).size for each in made] == [(300, 200)] * 2
    template = mediakit.mail_merge([{"title": "Hello"}], template="og", to="png")
    assert Image.open(io.BytesIO(template[0].content)).size == (1200, 630)


def test_hostile_cell_is_text_of_the_page() -> None:
    hostile = "</p><h1 style='position:fixed;inset:0;background:red'>BIG</h1><script>1</script>&lt;b&gt;"
    made = mediakit.mail_merge([{"name": hostile}], html="<p style='color:blue'>{{ name }}</p>")
    assert words(made[0].content) == [hostile]
    assert (255, 0, 0) not in {color for _, color in page_image(made[0].content).getcolors(100_000) or []}


def test_equal_input_gives_equal_bytes() -> None:
    for merge in (True, False):
        first, second = (
            mediakit.mail_merge(NAMES, html="<p>{{ name }} {{ name | qr }}</p>", merge=merge).content for _ in range(2)
        )
        assert first == second


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frame_is_a_table(frame: Any) -> None:
    rows = frame({"id": [7, 8], "when": pd.to_datetime(["2026-03-03", "2026-03-04"]), "note": ["a", None]})
    made = mediakit.mail_merge(rows, html="<p>[{{ id }}] [{{ when }}] [{{ note }}]</p>", filename="{id}")
    assert made.names == ["7.pdf", "8.pdf"]
    assert [words(each.content) for each in made] == [["[7] [2026-03-03] [a]"], ["[8] [2026-03-04] []"]]


def test_index_of_a_data_frame_may_have_the_name_of_a_column() -> None:
    rows = pd.DataFrame({"id": [7], "city": ["Oslo"]}).set_index("id", drop=False)
    made = mediakit.mail_merge(rows, html="<p>{{ id }} {{ city }}</p>")
    assert [words(each.content) for each in made] == [["7 Oslo"]]


def test_dictionary_of_lists_is_a_table() -> None:
    made = mediakit.mail_merge({"name": ["Ada", "Bo"]}, html="<p>{{ name }}</p>")
    assert [words(each.content)[0] for each in made] == ["Ada", "Bo"]


def test_path_of_an_image_is_a_logo() -> None:
    made = mediakit.mail_merge([{"recipient": "Ada", "logo": LOGO}], template="certificate")
    with pymupdf.open(stream=made[0].content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
        assert len(document[0].get_images()) == 1


def test_values_of_the_row_precede_those_of_all_rows() -> None:
    rows = [{"name": "Ada", "city": "Bath"}, {"name": "Bo"}]
    made = mediakit.mail_merge(rows, html="<p>{{ name }}, {{ city }}</p>", data={"city": "Rome", "unused": 1})
    assert [words(each.content)[0] for each in made] == ["Ada, Bath", "Bo, Rome"]


def test_repeated_and_hostile_names_are_safe_and_unique() -> None:
    names = ["../../etc/passwd", "..", "CON", "a\u202efdp.exe", "Ada", "ADA", "x" * 300, "", "b.pdf"]
    made = mediakit.mail_merge([{"name": name} for name in names], html="{{ name }}", filename="{name}")
    assert made.names == [
        "-..-etc-passwd.pdf", "2.pdf", "_CON.pdf", "afdp.exe.pdf", "Ada.pdf", "ADA (2).pdf", f"{'x' * 110}.pdf",
        "8.pdf", "b.pdf",
    ]  # fmt: skip


def test_row_that_fails_is_omitted_or_stops_the_call() -> None:
    rows = [{"url": "https://example.com"}, {"url": "javascript:alert(1)"}]
    html = '<a href="{{ url }}">x</a>'
    made = mediakit.mail_merge(rows, html=html)
    assert (made.names, made.meta["failed"]) == (["1.pdf"], 1)
    assert "failed" in repr(made)
    assert "url must begin with" in made._repr_mimebundle_()[0]["text/html"]
    assert failure(rows, html=html, on_error="stop").startswith("rows[1]: url must begin with http://")
    assert failure(rows[1:], html=html).startswith("rows: all 1 failed; the first: rows[0]: url must begin")


def test_result_is_saved_as_folder_or_archive(tmp_path: Path) -> None:
    made = mediakit.mail_merge(NAMES, html="{{ name }}", filename="{name}")
    made.save(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["Ada.pdf", "Bo.pdf", "report.csv"]
    assert entries(made.save(tmp_path / "all.zip").read_bytes()).keys() == {"Ada.pdf", "Bo.pdf", "report.csv"}


def test_report_does_not_run_formulas() -> None:
    made = mediakit.mail_merge([{"name": "=1+1"}], html="{{ name }}", filename="{name}")
    assert entries(made.content)["report.csv"].decode().splitlines()[1].startswith("1,'=1+1.pdf,")
