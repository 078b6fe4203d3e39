"""Every example of every tool: its result is saved, read back, shown, pickled and sent, and its code returns it."""

import base64
import json
import pathlib
import pickle
from pathlib import Path, PurePath
from typing import Any, get_args

import pytest

import mediakit
from mediakit.core.media import detect, type_of
from mediakit.core.tool import Tool
from mediakit.results.data import Data, parse
from mediakit.results.files import FilesResult
from mediakit.results.result import Language, card
from mediakit.tools.catalogue import all_tools
from tests.support import web_page
from tests.support.calls import EXAMPLE_SITE

LANGUAGES: tuple[Language, ...] = get_args(Language)

RANDOM = ("pdf_protect", "zip")
"""Tools whose encrypted files have random keys."""

MAX_PICKLED_BYTES = 20_000
"""Bytes that a pickled result may have beside its files and its data; the files of the call are not in it."""


def cases() -> list[Any]:
    found = []
    for tool in all_tools():
        urls = {each.name for each in tool.parameters if each.kind == "url"}
        for number, example in enumerate(tool.spec.examples, 1):
            values = {
                name: value.replace(EXAMPLE_SITE, web_page.URL.rstrip("/")) if name in urls else value
                for name, value in example.values.items()
            }
            browser = tool.spec.needs_browser
            marks = [pytest.mark.browser] if browser is True or browser in values else []
            found.append(pytest.param(tool, values, id=f"{tool.command}-{number}", marks=marks))
    return found


@pytest.mark.parametrize(("tool", "values"), cases())
def test_example(tool: Tool[..., Any], values: dict[str, Any], tmp_path: Path) -> None:
    result = tool(**values)
    saved = result._saved()

    assert_saved(result, tmp_path)
    assert result.file == saved.content == bytes(result)
    assert isinstance(result.content, str | bytes)
    assert base64.b64decode(result.data_uri().partition(",")[2])
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert result.to_dict()["meta"] == result.meta
    assert_shown(result)

    envelope = result.envelope()
    again = parse(tool, json.loads(envelope))
    assert (again, again.envelope()) == (result, envelope)
    pickled = pickle.dumps(result)
    assert pickle.loads(pickled) == result
    times = 2 if isinstance(result, FilesResult) else 1  # the archive, and the files in it
    assert len(pickled) < times * len(envelope) + MAX_PICKLED_BYTES

    for language in LANGUAGES:
        assert result.call.code(language)
    code = result.call.code("python")
    if "'...'" not in code and '"..."' not in code:  # the place of a password
        repeated = eval(code, {"mediakit": mediakit, "pathlib": pathlib})
        assert repeated == result or tool.name in RANDOM


def assert_saved(result: Any, folder: Path) -> None:
    """Assert that a result is saved, and that the files have the media types that their names say."""
    target = result.save(folder / "saved")
    files = [path for path in target.rglob("*") if path.is_file()] if target.is_dir() else [target]
    assert files or len(result) == 0
    for path in files:
        named, found = type_of(PurePath(path)), detect(path.read_bytes())
        assert named, path
        if found and named.startswith(("image/", "application/pdf", "application/zip")) and named != "image/svg+xml":
            assert found == named, path
    if named == "application/json":
        json.loads(path.read_bytes())
    if isinstance(result, Data):
        written = result.save(folder / "data.json").read_bytes()
        is_patch = result._saved().mime_type == "application/json-patch+json"
        assert written == result.file if is_patch else json.loads(written) == json.loads(result.to_json())
    if isinstance(result, FilesResult) and len(result) > 1:
        assert result.save(folder / "all.zip").read_bytes()[:2] == b"PK"


def assert_shown(result: Any) -> None:
    """Assert that a notebook and a gallery show a result, with a text alternative for each image."""
    data, metadata = result._repr_mimebundle_()
    assert data["text/plain"]
    assert len(data) > 1, "the notebook shows only plain text"
    for kind in data:
        assert not kind.startswith("image/") or metadata[kind]["alt"]
    assert card(result).facts
    assert mediakit.gallery([result])._repr_html_()
