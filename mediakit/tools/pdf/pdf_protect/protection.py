"""Encrypts a PDF with AES-256 (revision 6 of the standard security handler), or removes its encryption."""

from collections.abc import Sequence

import pikepdf

from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.opening import password_opens, wrong_password
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_protect.job import Permission, Protected, ProtectJob


def protect(job: ProtectJob) -> Protected:
    """Return the PDF with the passwords of the job, or without encryption.

    Raises:
        InvalidInput: The file cannot be opened, is encrypted already, or is not encrypted where it should be.
    """
    source = open_to_change(job.file, job.password)
    _check_encryption(source, job)
    encryption = _encryption(job) if job.action == "encrypt" else False
    return Protected(save(source.pdf, encryption=encryption), len(source.pages), source.warnings)


def _check_encryption(source: Source, job: ProtectJob) -> None:
    if not source.is_encrypted:
        if job.action == "decrypt":
            raise InvalidInput("file: is not encrypted.")
        return
    if job.password is not None and not password_opens(job.file, job.password):
        raise wrong_password("file")
    if job.password is None and job.action == "encrypt":
        raise InvalidInput(
            "password: is required, because the file is encrypted; send its password, or decrypt it first."
        )


def _encryption(job: ProtectJob) -> pikepdf.Encryption:
    return pikepdf.Encryption(
        user=job.user_password, owner=job.owner_password, R=6, aes=True, metadata=True, allow=_permissions(job.allow)
    )


def _permissions(allowed: Sequence[Permission]) -> pikepdf.Permissions:
    return pikepdf.Permissions(
        accessibility=True,
        print_lowres="print" in allowed,
        print_highres="print" in allowed,
        extract="copy" in allowed,
        modify_other="modify" in allowed,
        modify_annotation="annotate" in allowed,
        modify_form="fill" in allowed,
        modify_assembly="assemble" in allowed,
    )
