"""The fields of a form: the limit of their number."""

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.forms import fields
from mediakit.engines.pdf.forms.fields import Form
from mediakit.engines.pdf.opening import Source
from mediakit.errors import InvalidInput


def test_form_with_too_many_fields_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = pikepdf.new()
    made = [pdf.make_indirect(Dictionary(FT=Name.Tx, T=String(f"field {number}"))) for number in range(6)]
    pdf.Root.AcroForm = Dictionary(Fields=Array(made))
    assert len(Form(Source(pdf)).fields) == 6
    monkeypatch.setattr(fields, "MAX_NODES", 5)
    with pytest.raises(InvalidInput, match="file: the form must have at most 5 fields and widgets"):
        Form(Source(pdf))
