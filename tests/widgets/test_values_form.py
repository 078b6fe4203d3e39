"""The form of the validators."""

import pandas as pd

import mediakit

GERMAN = "DE89370400440532013000"


def test_column_is_shown_with_a_value_per_line() -> None:
    form = mediakit.form(mediakit.validate_iban, iban=pd.Series([GERMAN, None, "BE68 5390 0754 7034"]))
    assert form.fields["iban"].control.value == f"{GERMAN}\n\nBE68 5390 0754 7034"
    assert "values" not in form.fields
    assert [each.valid for each in form.result] == [True, False, True]


def test_lines_are_values_and_one_line_is_one_value() -> None:
    form = mediakit.form(mediakit.validate_iban)
    form.fields["iban"].control.value = GERMAN
    assert form.result.valid
    form.fields["iban"].control.value = f"{GERMAN}\nx"
    assert repr(form.result) == "<ValidationResult 1 of 2 valid>"
