"""Notebooks of nbformat 3 and 4 are read, whatever the types of their values."""

import json
from typing import Any

import pytest

from mediakit.engines.notebooks import MAX_CELLS, Notebook, read_notebook
from mediakit.errors import InvalidInput


def read(book: Any) -> Notebook:
    return read_notebook(json.dumps(book).encode())


def code(*outputs: Any, source: str = "1") -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def test_lines_of_a_source_are_joined() -> None:
    book = read({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# A\n", "text"]}]})
    assert [(cell.kind, cell.source) for cell in book.cells] == [("markdown", "# A\ntext")]


def test_parts_of_a_stream_are_joined_and_streams_are_kept_apart() -> None:
    parts = [
        {"output_type": "stream", "name": name, "text": text}
        for name, text in (("stdout", "a"), ("stdout", "b\n"), ("stderr", "c"))
    ]
    outputs = read({"nbformat": 4, "cells": [code(*parts)]}).cells[0].outputs
    assert [(output.name, output.text) for output in outputs] == [("stdout", "ab\n"), ("stderr", "c")]


def test_nbformat_3_has_headings_old_names_of_outputs_and_a_title() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Results"]},
        {
            "cell_type": "code",
            "input": ["x = 1\n", "x"],
            "language": "Python",
            "prompt_number": 7,
            "outputs": [
                {"output_type": "pyout", "prompt_number": 7, "text": ["1"], "html": "<b>1</b>"},
                {"output_type": "stream", "stream": "stderr", "text": "careful"},
                {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["one", "two"]},
            ],
        },
    ]
    book = read({"nbformat": 3, "metadata": {"name": "Old"}, "worksheets": [{"cells": cells}]})
    heading, cell = book.cells
    assert (book.title, book.language) == ("Old", "python")
    assert heading.source == "## Results"
    assert (cell.source, cell.count) == ("x = 1\nx", 7)
    assert cell.outputs[0].data == {"text/plain": "1", "text/html": "<b>1</b>"}
    assert cell.outputs[0].is_result
    assert (cell.outputs[1].name, cell.outputs[2].text) == ("stderr", "one\ntwo")


def test_hyphens_in_tags_are_underscores() -> None:
    cell = {"cell_type": "code", "source": "", "metadata": {"tags": ["Remove-Cell", 3]}}
    assert read({"nbformat": 4, "cells": [cell]}).cells[0].tags == {"remove_cell"}


def test_language_is_that_of_the_kernel() -> None:
    metadata = {"kernelspec": {"language": "R"}, "language_info": {"file_extension": ".r"}}
    book = read({"nbformat": 4, "metadata": metadata, "cells": []})
    assert (book.language, book.extension) == ("r", ".r")


def test_lone_surrogates_become_replacement_characters() -> None:
    book = read_notebook(b'{"cells": [{"cell_type": "raw", "source": "a\\ud800b \\ud83d\\ude00"}]}')
    assert book.cells[0].source == "a\ufffdb 😀"


@pytest.mark.parametrize("wrong", [None, True, 5, -1.5, "text", [], [[]], {}, [{"a": [None]}]])
def test_values_of_wrong_types_are_omitted(wrong: Any) -> None:
    output = {"output_type": "display_data", "data": wrong, "metadata": wrong}
    stream = {"output_type": "stream", "name": wrong, "text": wrong}
    error = {"output_type": "error", "ename": wrong, "evalue": wrong, "traceback": wrong}
    cell = {
        "cell_type": "code",
        "source": wrong,
        "outputs": [output, stream, error, wrong],
        "metadata": {"tags": wrong},
    }
    text = {"cell_type": wrong, "source": wrong, "metadata": wrong, "attachments": wrong}
    metadata = {"kernelspec": wrong, "language_info": wrong, "authors": wrong, "widgets": wrong, "title": wrong}
    book = read({"nbformat": 4, "metadata": metadata, "cells": [cell, text, wrong, {"cell_type": "code"}]})
    assert isinstance(book.title, str)
    assert all(isinstance(cell.source, str) for cell in book.cells)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "file: is not a notebook (no cells)."),
        (b"[1]", "file: is not a notebook (no cells)."),
        (b'{"cells": 5}', "file: is not a notebook (no cells)."),
        (b'{"nbformat": 2, "worksheets": []}', "file: is nbformat 2; open and save it in Jupyter first."),
        (b'{"nbformat": 1, "cells": []}', "file: is nbformat 1; open and save it in Jupyter first."),
        (b'{"nbformat": "4", "cells": []}', "file: is not a notebook (nbformat must be a whole number from 1)."),
        (b'{"cells": [', "file: must be a Jupyter notebook (.ipynb), got broken JSON."),
        (b"%PDF-1.7", "file: must be a Jupyter notebook (.ipynb), got a PDF."),
        (b"\xff\xfe\xfd", "file: must be a Jupyter notebook (.ipynb), got a text file."),
        (b"[" * 100_000, "file: must be a Jupyter notebook (.ipynb), got a text file."),
        (
            b'{"cells": [' + b"{}," * MAX_CELLS + b"{}]}",
            "file: has 50,001 cells; the most is 50,000.",
        ),
    ],
)
def test_a_file_that_is_not_a_notebook_is_an_error(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_notebook(content)
    assert str(raised.value) == message


def test_a_newer_format_is_read_with_a_warning() -> None:
    book = read({"nbformat": 5, "cells": [code()]})
    assert len(book.cells) == 1
    assert "nbformat 5" in book.warnings[0]
