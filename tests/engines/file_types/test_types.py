"""The table of file types."""

import csv
import re
from pathlib import Path
from typing import get_args

from mediakit.core.media import media_type
from mediakit.engines import file_types
from mediakit.engines.file_types import FILE_TYPES


def test_every_row_has_its_own_name() -> None:
    with (Path(file_types.__file__).parent / "types.csv").open(encoding="utf-8", newline="") as file:
        assert sum(1 for _ in csv.DictReader(file)) == len(FILE_TYPES)


def test_extensions_and_media_types_are_well_formed() -> None:
    for file_type in FILE_TYPES.values():
        assert re.fullmatch(r"[a-z]+/[a-zA-Z0-9.+-]+", file_type.mime_type), file_type
        assert all(re.fullmatch(r"\.[A-Za-z0-9_+]+", one) for one in file_type.extensions), file_type


def test_usual_extension_of_a_registered_media_type_is_accepted() -> None:
    for file_type in FILE_TYPES.values():
        known = media_type(file_type.mime_type)
        if known and file_type.extensions and file_type.kind != "text" and file_type.mime_type != "application/zip":
            assert f".{known.extensions[0]}" in file_type.extensions, file_type


def test_every_rule_names_a_type() -> None:
    lines = (file_types.FOLDER / "rules.txt").read_text(encoding="ascii").splitlines()
    rules = [line.split(maxsplit=2) for line in lines if line and not line.startswith("# ")]
    assert {stage for stage, _, _ in rules} == set(get_args(file_types.Stage))
    assert {name for _, name, _ in rules} <= set(FILE_TYPES)
