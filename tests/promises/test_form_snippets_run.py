"""The code of every form runs: text and HTML typed in it, and uploaded files saved beside the notebook."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import mediakit
from mediakit.core.snippets.http import running_server
from mediakit.samples import (
    ARCHIVE,
    CITIES,
    CONTRACT,
    FORM,
    LABEL,
    LANDSCAPE,
    LANDSCAPE_EDITED,
    LOGO,
    NOTEBOOK,
    PROPOSAL,
    PROPOSAL_DATA,
    REPORT,
    SALES,
    SALES_REVISED,
    SLIDES,
    SURVEY,
)
from mediakit.server import Server
from mediakit.tools.catalogue import tool_names
from mediakit.widgets.forms.form import Form
from tests.support.snippet_kit import assert_code_returns

AnyForm = Form[Any]

HTML = '<title>It\'s</title>\n<main><h1>Grüße & "$HOME" `id` \\ ${x} """</h1>\n<p>Ein langer Satz.</p></main>\n'
MARKDOWN = '# It\'s "$HOME" `id` \\\n\n## ${x} """\n\n- Grüße & <b>mehr</b>\n'


def typed(form: AnyForm, **texts: str) -> AnyForm:
    """Type texts into the fields of a form."""
    for name, text in texts.items():
        form.fields[name].control.value = text
    return form


def uploaded(form: AnyForm, field: str, *paths: Path) -> AnyForm:
    """Upload files to a field; the test saves them beside the notebook."""
    form.fields[field].control.value = tuple(
        {
            "name": path.name,
            "type": "",
            "size": path.stat().st_size,
            "content": memoryview(path.read_bytes()),
            "last_modified": datetime(2026, 3, 1, tzinfo=UTC),
        }
        for path in paths
    )
    return form


def template_form() -> AnyForm:
    form = mediakit.form(mediakit.templates()["certificate"])
    return typed(form, recipient='Ada "Countess" O\'Lovelace', course="First line\nand $HOME `id`")


def decrypt_form() -> AnyForm:
    """Return a form that decrypts, as encryption is random and code has no passwords."""
    path = mediakit.pdf_protect(REPORT, owner_password="owner").save("restricted.pdf")
    return uploaded(mediakit.form("pdf_protect", action="decrypt"), "file", path)


FORMS: dict[str, Callable[[], AnyForm]] = {
    "qr": lambda: typed(mediakit.form("qr", style="rounded"), data='It\'s "$HOME" `id` \\'),
    "qr with logo": lambda: uploaded(mediakit.form("qr", data="https://example.com"), "logo", LOGO),
    "barcode": lambda: typed(mediakit.form("barcode"), data="MK-2026"),
    "chart": lambda: mediakit.form("chart", type="bar", labels=["it's", "b"], series=[{"name": "x", "data": [1, 2.5]}]),
    "table_image": lambda: mediakit.form("table_image", rows=[{"city": "it's", "visitors": 3}], total="sum"),
    "images": lambda: uploaded(mediakit.form("images", width=40), "file", LANDSCAPE),
    "code_reader": lambda: uploaded(mediakit.form("code_reader"), "file", LABEL),
    "validate_email": lambda: typed(mediakit.form("validate_email"), email="ana@example.com"),
    "validate_phone": lambda: typed(mediakit.form("validate_phone", lang="es"), phone="+34 912 34 56 78"),
    "validate_iban": lambda: typed(mediakit.form("validate_iban"), iban="DE89 3704 0044 0532 0130 00"),
    "validate_tax_id": lambda: typed(mediakit.form("validate_tax_id", country="ES"), id="12345678Z"),
    "validate_code": lambda: typed(mediakit.form("validate_code", kind="isbn"), code="978-3-8362-2119-1"),
    "image_animate": lambda: uploaded(mediakit.form("image_animate", width=60, delay_ms=200), "files", LANDSCAPE, LOGO),
    "image_watermark": lambda: typed(
        uploaded(mediakit.form("image_watermark", size_pct=40), "file", LANDSCAPE), text='It\'s "$HOME" `id`'
    ),
    "image_info": lambda: uploaded(mediakit.form("image_info", palette=3), "file", LANDSCAPE),
    "image_compare": lambda: uploaded(
        uploaded(mediakit.form("image_compare", align=True), "file", LANDSCAPE), "file2", LANDSCAPE_EDITED
    ),
    "file_info": lambda: uploaded(mediakit.form("file_info", filename="lake.jpg"), "file", LANDSCAPE),
    "text_repair": lambda: uploaded(mediakit.form("text_repair", bom=True), "file", CITIES),
    "data_convert": lambda: uploaded(mediakit.form("data_convert", to="json"), "file", SALES),
    "data_profile": lambda: uploaded(mediakit.form("data_profile", top=3, sample=2), "file", SALES),
    "data_diff": lambda: uploaded(
        uploaded(mediakit.form("data_diff", key=["order"], format="csv"), "file", SALES), "file2", SALES_REVISED
    ),
    "data_query": lambda: typed(
        uploaded(mediakit.form("data_query", limit=2), "file", SALES),
        sql="SELECT 'it''s', * FROM \"sales\" -- $HOME `id`",
    ),
    "data_sample": lambda: mediakit.form(
        "data_sample", fields={"it's": "name", "n": {"kind": "choice", "values": ["$HOME `id`"]}}, rows=3, seed=1
    ),
    "zip": lambda: uploaded(mediakit.form("zip", folder="it's", level=9), "files", SALES, LOGO),
    "unzip": lambda: uploaded(mediakit.form("unzip", names=["*.csv"]), "file", ARCHIVE),
    "file_encode": lambda: uploaded(mediakit.form("file_encode", encoding="hex", wrap=64), "file", LOGO),
    "pdf_merge": lambda: uploaded(mediakit.form("pdf_merge"), "files", REPORT, LOGO),
    "pdf_split": lambda: uploaded(mediakit.form("pdf_split", every=2, filename="part {n}"), "file", REPORT),
    "pdf_pages": lambda: uploaded(mediakit.form("pdf_pages", pages="3, 1", rotate=90), "file", REPORT),
    "pdf_compress": lambda: uploaded(mediakit.form("pdf_compress", level="medium"), "file", REPORT),
    "pdf_stamp": lambda: typed(
        uploaded(mediakit.form("pdf_stamp", position="bottom right"), "file", REPORT), text='It\'s "$HOME" {page}'
    ),
    "pdf_stamp with logo": lambda: uploaded(uploaded(mediakit.form("pdf_stamp"), "file", REPORT), "image", LOGO),
    "pdf_protect": decrypt_form,
    "pdf_redact": lambda: uploaded(mediakit.form("pdf_redact", kinds=["email", "iban"], pages="1"), "file", CONTRACT),
    "pdf_to_images": lambda: uploaded(
        mediakit.form("pdf_to_images", pages="1-2", dpi=36, combine="column"), "file", REPORT
    ),
    "pdf_extract": lambda: uploaded(mediakit.form("pdf_extract", what="tables"), "file", SURVEY),
    "pdf_info": lambda: uploaded(mediakit.form("pdf_info", metadata={"title": "It's"}), "file", REPORT),
    "mail_merge": lambda: uploaded(
        mediakit.form("mail_merge", rows=[{"name": "it's"}], file=FORM, filename="{n:02} {name}"), "file", FORM
    ),
    "docx_template": lambda: uploaded(mediakit.form("docx_template", data=PROPOSAL_DATA), "file", PROPOSAL),
    "pdf_form": lambda: uploaded(mediakit.form("pdf_form", values={"name": "O'Brien $HOME"}), "file", FORM),
    "capture": lambda: typed(mediakit.form("capture", width=300, height=200), html=HTML),
    "pdf": lambda: typed(mediakit.form("pdf", margin=10), html=HTML),
    "markdown_convert": lambda: typed(mediakit.form("markdown_convert", toc=True), markdown=MARKDOWN),
    "document_to_markdown": lambda: uploaded(mediakit.form("document_to_markdown", notes=False), "file", SLIDES),
    "notebook_convert": lambda: uploaded(mediakit.form("notebook_convert", hide_code=True), "file", NOTEBOOK),
    "web_to_markdown": lambda: typed(mediakit.form("web_to_markdown", format="text"), html=HTML),
    "template": template_form,
}
BROWSER_FORMS = {"capture", "pdf", "template"}
UPLOADS = (
    ARCHIVE, CITIES, LOGO, LANDSCAPE, LABEL, SALES, SALES_REVISED, REPORT, SURVEY, CONTRACT, FORM, SLIDES, PROPOSAL,
    NOTEBOOK, LANDSCAPE_EDITED,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> Path:
    """The folder of a notebook, with the uploaded files saved beside it."""
    for path in UPLOADS:
        shutil.copyfile(path, tmp_path / path.name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running_server, "url", server.url)
    return tmp_path


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.browser] if name in BROWSER_FORMS else []) for name in FORMS]
)
def test_code_of_form_runs(name: str, folder: Path, server: Server) -> None:
    form = FORMS[name]()
    kept = set(folder.iterdir())
    # Each form in Python and in another language; test_snippets_run.py runs each tool in each language.
    others = ["curl", "shell", *(["javascript"] if shutil.which("node") else [])]
    for language in ("python", others[list(FORMS).index(name) % len(others)]):
        assert_code_returns(form.result, language, form.code(language), folder, server)
        for written in set(folder.iterdir()) - kept:
            written.unlink()


def test_every_tool_that_works_offline_has_a_form_with_code() -> None:
    assert set(tool_names()) - {"screenshot"} <= FORMS.keys()
