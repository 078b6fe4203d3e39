"""Text of a terminal is shown as the terminal shows it."""

import pytest

from mediakit.engines.terminal import TextStyle, plain_text, styled_runs


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("10%\r50%\r100%", "100%"),
        ("long line\rshort", "shortline"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("abc\b\bX", "aX"),
        ("\x1b[2K\x1b[1Gdone\x1b[K", "done"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("bell\x07 and \x00null", "bell and null"),
        ("\x1b[31mred\r\x1b[32mgreen", "green"),
    ],
)
def test_plain_text_has_no_control_sequences(text: str, shown: str) -> None:
    assert plain_text(text) == shown


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("31", TextStyle(color="red")),
        ("1;91", TextStyle(color="bright-red", bold=True)),
        ("42;7", TextStyle(background="green", inverse=True)),
        ("38;5;208", TextStyle(color="#ff8700")),
        ("38;5;12", TextStyle(color="bright-blue")),
        ("48;5;244", TextStyle(background="#808080")),
        ("38;2;1;2;300", TextStyle(color="#0102ff")),
        ("3;4;9;2", TextStyle(italic=True, underline=True, strike=True, dim=True)),
        ("31;0", TextStyle()),
        ("1;22;39;49", TextStyle()),
        ("38;5", TextStyle()),
        ("999", TextStyle()),
    ],
)
def test_colors_and_styles_are_read(codes: str, style: TextStyle) -> None:
    assert list(styled_runs(f"\x1b[{codes}mtext\x1b[0m")) == [(style, "text")]
