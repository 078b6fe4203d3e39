"""Text of a terminal is shown as the terminal shows it."""

import pytest

from mediakit.engines.notebooks.terminal import plain_text, terminal_html


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
    ("codes", "attributes"),
    [
        ("31", 'class="ansi-red"'),
        ("1;91", 'class="ansi-bold ansi-bright-red"'),
        ("42;7", 'class="ansi-inverse ansi-green"'),
        ("38;5;208", 'style="color:#ff8700"'),
        ("38;5;12", 'class="ansi-bright-blue"'),
        ("38;5;3", 'class="ansi-yellow"'),
        ("48;5;244", 'style="background-color:#808080"'),
        ("48;5;16", 'style="background-color:#000000"'),
        ("38;5;999", 'style="color:#eeeeee"'),
        ("38;2;1;2;300", 'style="color:#0102ff"'),
        ("31;48;2;9;9;9;1", 'class="ansi-bold ansi-red" style="background-color:#090909"'),
        ("3;4;9;2", 'class="ansi-dim ansi-italic ansi-underline ansi-strike"'),
        ("107;34", 'class="ansi-blue ansi-bg-bright-white"'),
    ],
)
def test_colors_and_styles_are_classes_or_inline(codes: str, attributes: str) -> None:
    assert terminal_html(f"a\x1b[{codes}m<text>\x1b[0mb") == f"a<span {attributes}>&lt;text&gt;</span>b"


@pytest.mark.parametrize(
    "codes", ["31;0", "", "1;22;39;49", "38;5", "38;9", "999", "3;23;4;24;7;27;9;29", "38", "48;2;1"]
)
def test_sequences_without_effect_leave_plain_text(codes: str) -> None:
    assert terminal_html(f"\x1b[{codes}mtext") == "text"


def test_colors_end_where_a_line_is_overwritten() -> None:
    assert terminal_html("\x1b[31mred\r\x1b[32mgreen\x1b[K") == '<span class="ansi-green">green</span>'
