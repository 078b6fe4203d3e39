"""The tool `pdf_protect`."""

import secrets
import string
from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LOCKED, REPORT
from mediakit.tools.pdf.pdf_protect.job import PERMISSIONS, ProtectJob
from mediakit.tools.pdf.pdf_protect.request import PdfProtectRequest
from mediakit.tools.pdf.pdf_protect.worker_jobs import protect

ALGORITHM = "AES-256"

RANDOM_LENGTH = 32
"""Characters of the owner password if none is set."""

META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 3),
    "encrypted": meta_schemas.boolean("Whether the result is encrypted.", example=True),
    "algorithm": {
        "type": ["string", "null"],
        "enum": [ALGORITHM, None],
        "description": "Algorithm of the encryption; null for a result that is not encrypted.",
    },
    "permissions": {
        "type": "array",
        "items": {"type": "string", "enum": list(PERMISSIONS)},
        "description": "What readers may do without the owner password.",
        "examples": [["print", "copy"]],
    },
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfProtectRequest,
    tag="PDF",
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("A password to open the PDF", {"file": REPORT, "user_password": "correct horse"}),
        Example("Decrypt", {"file": LOCKED, "action": "decrypt", "password": "correct horse"}),
        Example(
            "Open for everybody, but only printing is allowed",
            {"file": REPORT, "owner_password": "battery staple", "allow": ["print"]},
        ),
    ],
)
async def pdf_protect(request: PdfProtectRequest) -> PdfResult:
    """Encrypt a PDF with passwords and permissions, or decrypt it.

    The encryption is AES-256 (revision 6), metadata and attachments included. Passwords are prepared by SASLprep, so
    that composed and decomposed accents open the same file. Permissions are a request to viewers, not protection:
    who can open the file can ignore them. Accessibility is always allowed. `decrypt` takes either password, and needs
    none for a file that opens without one. An encrypted file is encrypted again only with `password`. Everything else
    in the file is kept, except digital signatures, which the change would break.

    Raises:
        InvalidInput: The file is not a PDF, the password does not open it, or it is not encrypted and cannot be
            decrypted.
        NotConvertible: It took longer than 30 seconds.
    """
    encrypts = request.action == "encrypt"
    job = ProtectJob(
        bytes(file_of(request.file)),
        request.action,
        user_password=request.user_password or "",
        owner_password=request.owner_password or _random_password(),
        allow=tuple(request.permissions),
        password=request.password,
    )
    protected = await run_guarded(protect, job, guard=PDF)
    meta = {
        "pages": protected.pages,
        "encrypted": encrypts,
        "algorithm": ALGORITHM if encrypts else None,
        "permissions": request.permissions,
        "warnings": protected.warnings,
    }
    return PdfResult(protected.content, "application/pdf", meta)


def _random_password() -> str:
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(RANDOM_LENGTH))
