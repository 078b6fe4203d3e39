"""`pdf_protect`: encrypts a PDF with AES-256 (revision 6 of the standard security handler), or decrypts it."""

import secrets
import string
from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.saslprep import prepare
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LOCKED, REPORT

if TYPE_CHECKING:
    import pikepdf

Permission = Literal["print", "copy", "modify", "annotate", "fill", "assemble"]
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)

Action = Literal["encrypt", "decrypt"]

ALGORITHM = "AES-256"

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

NewPassword = Annotated[Password, AfterValidator(prepare)]
"""A password to set: 1-127 bytes of UTF-8, prepared by SASLprep."""


def _check_permissions(value: Any) -> Any:
    if isinstance(value, list | tuple | set):
        for item in value:
            if item not in PERMISSIONS:
                raise ValueError(f"must be of {', '.join(PERMISSIONS)}, got {str(item)[:40]}.")
        return [name for name in PERMISSIONS if name in value]
    return value


Permissions = Annotated[list[Permission], BeforeValidator(_check_permissions)]


@request
class PdfProtectRequest:
    """A PDF, and the passwords to set or to remove."""

    file: PdfFile
    """The PDF."""
    user_password: Annotated[NewPassword | None, Synonyms("open_password, pwd")] = None
    """Password that is needed to open the PDF: 1-127 bytes of UTF-8."""
    _: KW_ONLY
    owner_password: Annotated[NewPassword | None, Synonyms("master_password, permissions_password")] = None
    """Password that is needed to change permissions: 1-127 bytes of UTF-8. By default 32 random characters, which are
    not returned."""
    allow: Annotated[Permissions | None, Synonyms("permissions, allowed")] = None
    """What readers may do without the owner password: `print`, `copy`, `modify`, `annotate`, `fill` (forms) and
    `assemble` (insert, rotate and delete pages). Default: everything with a user password, nothing with only an owner
    password."""
    action: Annotated[
        Action,
        Synonyms(
            "mode, operation, unlock, remove", {"encrypt": "lock, protect", "decrypt": "unlock, remove password, open"}
        ),
    ] = "encrypt"
    """`encrypt` sets passwords; `decrypt` removes the encryption."""
    password: Password | None = None
    """A password of a file that is encrypted now."""

    @model_validator(mode="after")
    def _check_action(self) -> Self:
        if self.action == "decrypt":
            for name in ("user_password", "owner_password"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name}: goes with action=encrypt; to open the file, send password.")
            if self.allow is not None:
                raise ValueError("allow: goes with action=encrypt.")
        elif self.user_password is None and self.owner_password is None:
            raise ValueError("user_password or owner_password: encrypt needs one.")
        elif self.user_password == self.owner_password:
            raise ValueError("owner_password: must differ from user_password.")
        return self

    @property
    def permissions(self) -> list[Permission]:
        """What readers may do with the result without its owner password."""
        if self.action == "decrypt":
            return list(PERMISSIONS)
        if self.allow is not None:
            return self.allow
        return [] if self.user_password is None else list(PERMISSIONS)


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
    made = await run_guarded("mediakit.tools.pdf.pdf_protect:protect", request, returns=MadePdf, guard=PDF)
    return PdfResult(made.content, "application/pdf", made.meta)


def protect(request: PdfProtectRequest) -> MadePdf:
    """Return the PDF with passwords, or without encryption. Runs in a worker, which imports pikepdf.

    Raises:
        InvalidInput: The file cannot be opened, is encrypted already, or is not encrypted where it should be.
    """
    from mediakit.engines.pdf.document import open_to_change
    from mediakit.engines.pdf.opening import password_opens, wrong_password
    from mediakit.engines.pdf.saving import save

    file, password, encrypts = file_of(request.file), request.password, request.action == "encrypt"
    source = open_to_change(file, password)
    if not source.is_encrypted and not encrypts:
        raise InvalidInput("file: is not encrypted.")
    if source.is_encrypted and password is not None and not password_opens(file, password):
        raise wrong_password("file")
    if source.is_encrypted and password is None and encrypts:
        raise InvalidInput(
            "password: is required, because the file is encrypted; send its password, or decrypt it first."
        )
    content = save(source.pdf, encryption=_encryption(request) if encrypts else False)
    meta = {
        "pages": len(source.pages),
        "encrypted": encrypts,
        "algorithm": ALGORITHM if encrypts else None,
        "permissions": request.permissions,
        "warnings": source.warnings,
    }
    return MadePdf(content, meta)


def _encryption(request: PdfProtectRequest) -> "pikepdf.Encryption":
    import pikepdf

    alphabet = string.ascii_letters + string.digits
    owner = request.owner_password or "".join(secrets.choice(alphabet) for _ in range(32))
    allowed = request.permissions
    permissions = pikepdf.Permissions(
        accessibility=True,
        print_lowres="print" in allowed,
        print_highres="print" in allowed,
        extract="copy" in allowed,
        modify_other="modify" in allowed,
        modify_annotation="annotate" in allowed,
        modify_form="fill" in allowed,
        modify_assembly="assemble" in allowed,
    )
    user = request.user_password or ""
    return pikepdf.Encryption(user=user, owner=owner, R=6, aes=True, metadata=True, allow=permissions)
