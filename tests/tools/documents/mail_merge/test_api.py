"""`POST /mail-merge`: rows in JSON and in forms, results in all outputs, errors that cost nothing, and clients."""

import base64
import io
import json
import zipfile
from typing import Any

import pytest

from mediakit import Client
from mediakit.errors import InvalidInput
from mediakit.samples import FORM
from mediakit.server import Server
from mediakit.tools.documents.mail_merge.tool import MergedFiles, MergedPdf
from tests.conftest import Api
from tests.support.pdf_kit import outline_titles, reader

pytestmark = pytest.mark.anyio

PATH = "/mail-merge"
ROWS = [{"name": "Ada", "email": "ada@example.com"}, {"name": "Bo", "email": "bo@example.com"}]
CSV = b"name,email\nAda,ada@example.com\nBo,bo@example.com\n"
FORM_FILE = base64.b64encode(FORM.read_bytes()).decode()


def names(archive: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return opened.namelist()


async def failure(api: Api, **values: Any) -> str:
    answer = await api.json(PATH, values)
    assert answer.status_code == 400
    return str(answer.json()["error"])


async def test_json_answers_an_archive_and_its_report(api: Api) -> None:
    answer = await api.json(PATH, {"rows": ROWS, "file": FORM_FILE, "filename": "{name}"})
    body = answer.json()
    assert answer.status_code == 200
    assert (body["filename"], body["mime_type"]) == ("documents.zip", "application/zip")
    assert names(base64.b64decode(body["file"])) == ["Ada.pdf", "Bo.pdf", "report.csv"]
    assert (body["meta"]["count"], body["meta"]["failed"], body["meta"]["used"]) == (2, 0, 1)
    assert body["meta"]["report"][0] == {
        "row": 1, "filename": "Ada.pdf", "ok": True, "error": None, "pages": 1, "fitted": [], "defaults_used": [],
    }  # fmt: skip


async def test_merged_answer_is_a_pdf(api: Api) -> None:
    values = {"rows": ROWS, "file": FORM_FILE, "filename": "{name}", "merge": True}
    body = (await api.json(PATH, values)).json()
    assert outline_titles(base64.b64decode(body["pdf"])) == ["Ada", "Bo"]
    assert "file" not in body
    answer = await api.json(PATH, {**values, "output": "pdf"})
    assert answer.headers["content-type"] == "application/pdf"
    assert len(reader(answer.content).pages) == 2


async def test_form_takes_a_table_file_and_answers_the_archive(api: Api) -> None:
    files = {"rows": ("people.csv", CSV, "text/csv"), "file": ("form.pdf", FORM.read_bytes(), "application/pdf")}
    answer = await api.post(PATH, files=files, data={"filename": "{n:02}-{name}", "data": json.dumps({"city": "Rome"})})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert names(answer.content) == ["01-Ada.pdf", "02-Bo.pdf", "report.csv"]


async def test_form_takes_rows_as_json(api: Api) -> None:
    files = {"file": ("form.pdf", FORM.read_bytes(), "application/pdf")}
    answer = await api.post(PATH, files=files, data={"rows": json.dumps(ROWS)})
    assert names(answer.content) == ["1.pdf", "2.pdf", "report.csv"]


async def test_table_file_in_json_is_base64(api: Api) -> None:
    for file in (base64.b64encode(CSV).decode(), {"name": "a.csv", "file": base64.b64encode(CSV).decode()}):
        answer = await api.json(PATH, {"rows": file, "file": FORM_FILE, "output": "binary"})
        assert names(answer.content) == ["1.pdf", "2.pdf", "report.csv"]


async def test_errors_have_the_documented_texts_and_cost_nothing(api: Api) -> None:
    assert await failure(api, rows=[{"a": 1}] * 250, html="x") == (
        "rows: at most 100, got 250; send them in parts or use mediakit.batch."
    )
    assert (
        await failure(api, rows=[{"name": "A"}] * 3 + [{"nmae": "B"}], html="{{ name }}") == 'rows[3]: has no "name".'
    )
    assert await failure(api, rows=ROWS) == "html: exactly one of template, html and file is required."
    assert await failure(api, rows=[{"country": "Atlantis"}] * 12, file=FORM_FILE) == (
        "rows: all 12 failed; the first: rows[0]: country: must be one of DE, ES, FR, GB, JP, PT, US, got Atlantis."
    )
    assert await failure(api, html="x") == "rows: is required."
    assert (await api.status())["used"] == 0


def test_client_has_the_same_results(server: Server) -> None:
    with Client(server.url, api_key=server.key) as client:
        made = client.mail_merge(ROWS, file=FORM, filename="{name}")
        assert isinstance(made, MergedFiles)
        assert made.names == ["Ada.pdf", "Bo.pdf"]
        assert made.report["filename"].tolist() == ["Ada.pdf", "Bo.pdf"]
        merged = client.mail_merge(ROWS, file=FORM, merge=True)
        assert isinstance(merged, MergedPdf)
        assert merged.report["ok"].tolist() == [True, True]
        with pytest.raises(InvalidInput, match=r"rows\[0\]: has no"):
            client.mail_merge(ROWS, html="{{ city }}")
