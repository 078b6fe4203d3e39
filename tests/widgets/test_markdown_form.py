"""The form of Markdown: its editor, its themes, its preview and its code."""

from typing import Any

import pytest

import mediakit
from tests.widgets.test_form import wait_for_update


def preview(form: Any) -> str:
    wait_for_update(form)
    return str(form._preview._body.value)


def test_typed_markdown_is_shown_as_page_in_a_frame_without_scripts() -> None:
    form = mediakit.form("markdown_convert")
    form.fields["markdown"].control.value = "# Tea\n\n<script>alert(1)</script>"
    shown = preview(form)

    assert '<iframe sandbox title="document.html"' in shown
    assert "Tea&lt;/h1&gt;" in shown
    assert "alert(1)" not in shown


def test_code_has_markdown_first_and_only_changed_options() -> None:
    form = mediakit.form(mediakit.markdown_convert, markdown="# Tea", theme="github", toc=True)

    assert form.code() == 'mediakit.markdown_convert("# Tea", theme="github", toc=True)'


@pytest.mark.browser
def test_pdf_is_shown_by_its_pages() -> None:
    form = mediakit.form(mediakit.markdown_convert, markdown="# Tea", to="pdf")

    assert "<img" in preview(form)
    assert form.result.mime_type == "application/pdf"


def test_wrong_language_is_shown_at_its_field() -> None:
    form = mediakit.form(mediakit.markdown_convert, markdown="# Tea")
    form.fields["lang"].control.value = "english language"
    wait_for_update(form)

    assert "must be a language tag" in form.fields["lang"].error.lower()
