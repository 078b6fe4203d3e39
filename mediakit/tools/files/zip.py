"""`zip`: packs files into a ZIP file."""

import unicodedata
from dataclasses import KW_ONLY, replace
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.inputs import FileList, FilesInput, files_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.archives import MAX_NAME_BYTES, ArchivePassword, folded, folders_of, portable_problem, shown
from mediakit.engines.archives.writer import NewEntry, Written, write_zip
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import ServerBusy
from mediakit.results.files import FileResult
from mediakit.samples import LOGO, REPORT, SALES

ZIP = "application/zip"

PACKING = Guard(
    "archive", seconds=50, took_too_long=(ServerBusy, "The archive could not be written in time. Try again.")
)
"""50 MB take a few seconds, so only a machine that is overloaded needs longer."""

META = {
    "original_bytes": meta_schemas.integer("Size of the files.", 46210),
    "ratio": {
        "type": "number",
        "description": "Size of the archive divided by the size of the files.",
        "examples": [0.72],
    },
    "entries": meta_schemas.integer("Number of files.", 3),
    "encryption": {"type": "string", "enum": ["none", "aes256"], "examples": ["none"]},
    "stored": meta_schemas.texts("Names of files that were not compressed.", "logo.png"),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


def _check_filename(name: str) -> str:
    named = unicodedata.normalize("NFC", name)
    named = named if named.lower().endswith(".zip") else f"{named}.zip"
    if "/" in named or "\\" in named:
        raise ValueError("must be a name without folders.")
    if problem := portable_problem(named):
        raise ValueError(problem)
    return named


def _check_folder(name: str) -> str:
    folder = unicodedata.normalize("NFC", name).removesuffix("/")
    if problem := portable_problem(folder):
        raise ValueError(problem)
    return folder


def _check_comment(comment: str) -> str:
    if any(not character.isprintable() and character not in "\t\n\r" for character in comment):
        raise ValueError("must not contain control characters.")
    return comment


@request
class ZipRequest:
    """Files, and how to pack them."""

    files: Annotated[FilesInput, FileList(allow_empty=True)]
    """Files of the archive: 1-20, with unique names. `{"name": "data/a.csv", "file": ...}` puts a file in a folder."""
    _: KW_ONLY
    password: ArchivePassword | None = None
    """Encrypts the contents with AES-256, which 7-Zip, WinZip and macOS tools open. The names stay readable."""
    level: Annotated[int, Field(ge=0, le=9), Synonyms("compression, compress_level")] = 6
    """0 stores the files, 1 is the fastest compression, 9 the smallest."""
    filename: Annotated[
        str, Field(min_length=1, max_length=200), AfterValidator(_check_filename), Synonyms("name, output")
    ] = "files.zip"
    """Name of the archive."""
    folder: (
        Annotated[
            str, Field(min_length=1, max_length=500), AfterValidator(_check_folder), Synonyms("directory, prefix, root")
        ]
        | None
    ) = None
    """A folder that contains all files."""
    comment: Annotated[str, Field(max_length=1000), AfterValidator(_check_comment)] | None = None
    """Comment of the archive."""

    @property
    def names(self) -> list[str]:
        """The names of the files in the archive, normalized to NFC; empty for files without a name.

        Raises:
            ValueError: A name cannot be unpacked on every system, or two would overwrite each other.
        """
        names = []
        taken: dict[str, str] = {}
        folders: dict[str, str] = {}
        for index, file in enumerate(files_of(self.files)):
            name = unicodedata.normalize("NFC", file.full_name or file.name)
            if name:
                if problem := portable_problem(name) or _conflict(name, taken, folders):
                    # what a name is needs the name before it, what it must not be needs none
                    sentence = problem if problem.startswith("must") else f'"{shown(name)}" {problem}'
                    raise ValueError(f"files[{index}].name: {sentence}")
                taken[folded(name)] = name
                folders |= {folded(parent): parent for parent in folders_of(name)}
            names.append(name)
        return [f"{self.folder}/{name}" if self.folder and name else name for name in names]

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for index, name in enumerate(self.names):
            if len(name.encode()) > MAX_NAME_BYTES:
                raise ValueError(f"files[{index}].name: must have at most {MAX_NAME_BYTES} bytes with its folder.")
        return self


@tool(
    ZipRequest,
    tag="Files",
    produces=(ZIP,),
    meta=META,
    examples=[
        Example("Three files", {"files": [SALES, REPORT, LOGO]}),
        Example("In a folder, as small as possible", {"files": [SALES, REPORT], "folder": "2024", "level": 9}),
        Example("Encrypted with AES-256", {"files": [SALES], "password": "correct horse", "filename": "sales.zip"}),
    ],
)
async def zip(request: ZipRequest) -> FileResult:  # noqa: A001  # the name of the tool
    """Pack files into a ZIP file, optionally encrypted with AES-256.

    The archive opens with Windows, macOS, 7-Zip and unzip. Names are UTF-8; names that one of these cannot have, or
    that would overwrite each other, are refused. All dates are 1980-01-01, so that equal files are equal bytes, except
    with a password. Files that do not shrink, such as images, are stored.

    Raises:
        InvalidInput: A name is not allowed, or stands twice.
    """
    written = await run_guarded("mediakit.tools.files.zip:pack", request, returns=Written, guard=PACKING, field="files")
    original = sum(map(len, files_of(request.files)))
    meta = {
        "original_bytes": original,
        "ratio": round(len(written.content) / original, 4) if original else 1.0,
        "entries": len(request.names),
        "encryption": "aes256" if request.password else "none",
        "stored": written.stored,
        "warnings": ["The names of the files are not encrypted."] if request.password else [],
    }
    return FileResult(written.content, ZIP, request.filename, meta)


def pack(request: ZipRequest) -> Written:
    """Return the archive that a request describes. Runs in a worker.

    Files without a name have one by their number and the type of their content.
    """
    from mediakit.engines.file_types.identify import identify

    entries = list(map(NewEntry, request.names, files_of(request.files)))
    taken = {folded(entry.name) for entry in entries}
    for index, entry in enumerate(entries):
        if not entry.name:
            stem = f"{request.folder}/file-{index + 1}" if request.folder else f"file-{index + 1}"
            extension = identify(entry.content).extension or ".bin"
            candidates = (f"{stem}{again}{extension}" for again in ("", *(f"-{count}" for count in range(2, 99))))
            entries[index] = replace(entry, name=next(each for each in candidates if folded(each) not in taken))
    return write_zip(entries, level=request.level, password=request.password, comment=request.comment or "")


def _conflict(name: str, taken: dict[str, str], folders: dict[str, str]) -> str | None:
    """Return why a name cannot stand beside the names before it; None if it can."""
    other = taken.get(folded(name))
    if other == name:
        return "is there already."
    if other is not None:
        how = "case" if other.lower() == name.lower() else "case or accents"
        return f'differs from "{shown(other)}" by {how} only; one would overwrite the other on Windows or macOS.'
    if folded(name) in folders:
        return "is the name of a folder, too."
    parent = next((parent for parent in folders_of(name) if folded(parent) in taken), None)
    return f'is below "{shown(parent)}", which is a file.' if parent is not None else None
