"""Attachments: files of the document, and files that annotations hold."""

import hashlib
import mimetypes
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import pikepdf
from pikepdf import Array, AttachedFileSpec, Dictionary, Name, String

from mediakit.core.inputs import FileBytes
from mediakit.core.media import type_of
from mediakit.core.messages import quote
from mediakit.engines.pdf.assembly import embedded_file, file_name
from mediakit.engines.pdf.destinations import add_names, annotations
from mediakit.engines.pdf.objects import items, name_of, read_names, text_of
from mediakit.engines.pdf.opening import Source
from mediakit.errors import InvalidInput

ALL = "*"

MAX_READ_BYTES = 300_000_000
"""Bytes of all attachments that are hashed."""

BLOCK_BYTES = 1 << 20


@dataclass
class _Attachment:
    name: str
    file: pikepdf.Object
    """File specification."""
    key: bytes | None = None
    """Its key in the name tree; None for a file of an annotation."""
    page: pikepdf.Object | None = None
    annotation: pikepdf.Object | None = None


def read_attachments(source: Source) -> list[dict[str, Any]]:
    """Return name, description, media type, size in bytes and MD5 of each attachment."""
    left = MAX_READ_BYTES
    found = []
    for attachment in _attachments(source):
        stream = embedded_file(attachment.file)
        size, digest = _measure(stream, left) if stream is not None else (None, None)
        left -= size or 0
        media = name_of(stream.get(Name.Subtype))[1:] if stream is not None else ""
        found.append(
            {
                "name": attachment.name,
                "description": text_of(attachment.file.get(Name.Desc)) or None,
                "mime_type": media if "/" in media else None,
                "size": size,
                "md5": digest,
            }
        )
    return found


def detach(source: Source, names: Sequence[str]) -> None:
    """Remove attachments by name, or all for `*`.

    Raises:
        InvalidInput: There is no attachment of that name.
    """
    found = list(_attachments(source))
    known = {attachment.name for attachment in found}
    for name in names:
        if name != ALL and name not in known:
            listed = ", ".join(quote(each) for each in sorted(known)) or "none"
            raise InvalidInput(f"detach: there is no attachment {quote(name)}; it has {listed}.")
    if gone := [attachment for attachment in found if ALL in names or attachment.name in names]:
        _remove(source, gone)


def remove_attachments(source: Source) -> None:
    """Remove all attachments, and what makes the file a portfolio."""
    _remove(source, list(_attachments(source)))
    for key in (Name.Collection, Name.AF):
        if key in source.root:
            del source.root[key]


def attach(source: Source, files: Sequence[FileBytes]) -> None:
    """Attach files; one of the same name is replaced, with a warning."""
    known = {attachment.name: attachment for attachment in _attachments(source)}
    for file in files:
        if file.name in known:
            source.warn(f"The attachment {quote(file.name)} was replaced.")
            _remove(source, [known[file.name]])
        media = type_of(PurePath(file.name)) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        source.pdf.attachments[file.name] = AttachedFileSpec(
            source.pdf, file, filename=file.name, mime_type=media, description="", creation_date="", mod_date=""
        )
    source.__dict__.pop("name_trees", None)


def _attachments(source: Source) -> Iterator[_Attachment]:
    for key, file in read_names(source.names("/EmbeddedFiles")):
        if isinstance(file, Dictionary):
            yield _Attachment(file_name(file) or text_of(String(key)), file, key)
    for page in source.pages:
        for annotation in annotations(page):
            held = annotation.get(Name.FS)
            if annotation.get(Name.Subtype) == Name.FileAttachment and isinstance(held, Dictionary):
                yield _Attachment(file_name(held) or "attachment", held, None, page, annotation)


def _remove(source: Source, gone: Sequence[_Attachment]) -> None:
    keys = {attachment.key for attachment in gone}
    kept = [(key, file) for key, file in read_names(source.names("/EmbeddedFiles")) if key not in keys]
    if kept:
        add_names(source.pdf, "/EmbeddedFiles", kept)
    elif source.names("/EmbeddedFiles") is not None:
        del source.root.Names.EmbeddedFiles
    source.__dict__.pop("name_trees", None)
    if Name.AF in source.root:  # files that belong to the whole document (ISO 32000-2, 14.13)
        removed = {attachment.file.objgen for attachment in gone if attachment.file.is_indirect}
        source.root.AF = Array([file for file in items(source.root.AF) if file.objgen not in removed])
    for attachment in gone:
        if attachment.page is not None:
            rest = [item for item in items(attachment.page.Annots) if item != attachment.annotation]
            attachment.page.Annots = Array(rest)
        for key in (Name.EF, Name.Desc):  # what still refers to the file, such as tags, finds it empty
            if key in attachment.file:
                del attachment.file[key]


def _measure(stream: pikepdf.Object, limit: int) -> tuple[int | None, str | None]:
    """Return size and MD5 of an attachment's content; what the file says where it cannot be read."""
    digest, size = hashlib.md5(usedforsecurity=False), 0
    with suppress(zlib.error, pikepdf.PdfError, ValueError):
        for block in _blocks(stream):
            digest.update(block)
            size += len(block)
            if size > limit:
                break
        else:
            return size, digest.hexdigest()
    parameters = stream.get(Name.Params)
    if not isinstance(parameters, Dictionary):
        return None, None
    stated: object = parameters.get(Name.Size)
    checksum = parameters.get(Name.CheckSum)
    md5 = bytes(checksum).hex() if isinstance(checksum, String) and len(bytes(checksum)) == 16 else None
    return stated if isinstance(stated, int) else None, md5


def _blocks(stream: pikepdf.Object) -> Iterator[bytes]:
    filters = stream.get(Name.Filter)
    names = [name_of(item) for item in (items(filters) or ([filters] if filters is not None else []))]
    raw = stream.read_raw_bytes()
    if names != ["/FlateDecode"] or Name.DecodeParms in stream:
        yield raw if not names else stream.read_bytes()  # `check_inflation` has limited several filters
        return
    inflate = zlib.decompressobj()
    while raw and not inflate.eof:
        yield inflate.decompress(raw, BLOCK_BYTES)
        raw = inflate.unconsumed_tail
    yield inflate.flush()
