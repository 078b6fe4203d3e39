"""Changes a PDF and describes the result."""

from collections import Counter
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.document import open_to_change, open_to_read
from mediakit.engines.pdf.labels import label_texts
from mediakit.engines.pdf.objects import dictionary, is_true, name_of
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_info.attached_files import attach, detach, read_attachments
from mediakit.tools.pdf.pdf_info.changes import Changes
from mediakit.tools.pdf.pdf_info.document_facts import conformance, read_properties
from mediakit.tools.pdf.pdf_info.form_facts import read_form, read_signatures
from mediakit.tools.pdf.pdf_info.label_writing import write_labels
from mediakit.tools.pdf.pdf_info.layer_facts import read_layers
from mediakit.tools.pdf.pdf_info.metadata_writing import write_metadata
from mediakit.tools.pdf.pdf_info.outline_facts import read_outline, write_outline
from mediakit.tools.pdf.pdf_info.page_sizes import read_page_sizes
from mediakit.tools.pdf.pdf_info.removal import remove
from mediakit.tools.pdf.pdf_info.request import Described, PdfInfoRequest
from mediakit.tools.pdf.pdf_info.resources import Resources
from mediakit.tools.pdf.pdf_info.scripts import read_scripts
from mediakit.tools.pdf.pdf_info.text_pages import pages_without_text

PERMISSIONS = (
    ("print", "print_highres"),
    ("copy", "extract"),
    ("modify", "modify_other"),
    ("annotate", "modify_annotation"),
    ("fill", "modify_form"),
    ("assemble", "modify_assembly"),
)
"""Permissions by their names here and in pikepdf."""

NOT_COUNTED = ("/Link", "/Widget", "/Popup")
"""Annotations that are counted as links, as fields, or with the annotation that opens them."""


def describe(request: PdfInfoRequest) -> Described:
    """Return what is known of a PDF, after the changes.

    Raises:
        InvalidInput: The file cannot be read, or a change does not fit it.
    """
    file, password, changes = file_of(request.file), request.password, request.changes
    if not changes.any:
        source = open_to_read(file, password)
        return Described(_fields(source, file, password), None, source.warnings)
    source = open_to_change(file, password)
    _change(source, changes)
    content = save(source.pdf)
    new_password = password if source.pdf.is_encrypted else None
    return Described(_fields(open_to_read(content, new_password), content, new_password), content, source.warnings)


def _encodable(value: Any) -> Any:
    """Return a value whose texts have no lone surrogates, which JSON cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return {name: _encodable(item) for name, item in value.items()} if isinstance(value, dict) else value


def _change(source: Source, changes: Changes) -> None:
    """Remove first, so that new metadata and attachments stay."""
    remove(source, changes.remove)
    if changes.detach:
        detach(source, changes.detach)
    if changes.attach:
        attach(source, changes.attach)
    if changes.metadata is not None:
        write_metadata(source, changes.metadata)
    if changes.outline is not None:
        write_outline(source, changes.outline)
    if changes.labels is not None:
        write_labels(source, changes.labels)


def _fields(source: Source, content: bytes, password: str | None) -> dict[str, Any]:
    resources, kinds = Resources(source), _annotation_kinds(source)
    fields = {
        "version": source.pdf.pdf_version,
        "pages": len(source.pages),
        **read_properties(source),
        "encrypted": source.is_encrypted,
        "restrictions": _restrictions(source.pdf),
        "page_sizes": read_page_sizes(source),
        "page_labels": label_texts(source),
        "outline": read_outline(source),
        "attachments": read_attachments(source),
        "fonts": resources.fonts,
        "images": resources.images,
        "links": kinds["/Link"],
        "annotations": sum(count for kind, count in kinds.items() if kind not in NOT_COUNTED),
        "form": read_form(source),
        "signatures": read_signatures(source, content),
        "javascript": read_scripts(source),
        "tagged": _is_tagged(source),
        "linearized": source.pdf.is_linearized,
        "conformance": conformance(source),
        "layers": read_layers(source),
        "pages_without_text": pages_without_text(source, content, password),
    }
    return {name: _encodable(value) for name, value in fields.items()}


def _restrictions(pdf: pikepdf.Pdf) -> list[str]:
    if not pdf.is_encrypted:
        return []
    return [name for name, permission in PERMISSIONS if not getattr(pdf.allow, permission)]


def _annotation_kinds(source: Source) -> Counter[str]:
    return Counter(name_of(item.get(Name.Subtype)) for page in source.pages for item in annotations(page))


def _is_tagged(source: Source) -> bool:
    has_tree = isinstance(source.root.get(Name.StructTreeRoot), Dictionary)
    return has_tree and is_true(dictionary(source.root.get(Name.MarkInfo)), Name.Marked)
