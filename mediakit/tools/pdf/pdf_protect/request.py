"""The request of `pdf_protect`."""

from dataclasses import KW_ONLY
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from mediakit.core.fields import Password
from mediakit.core.inputs import File
from mediakit.core.request import request
from mediakit.engines.pdf.saslprep import prepare
from mediakit.tools.pdf.pdf_protect.job import PERMISSIONS, Action, Permission

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

    file: File
    """The PDF."""
    user_password: NewPassword | None = None
    """Password that is needed to open the PDF: 1-127 bytes of UTF-8."""
    _: KW_ONLY
    owner_password: NewPassword | None = None
    """Password that is needed to change permissions: 1-127 bytes of UTF-8. By default 32 random characters, which are
    not returned."""
    allow: Permissions | None = None
    """What readers may do without the owner password: `print`, `copy`, `modify`, `annotate`, `fill` (forms) and
    `assemble` (insert, rotate and delete pages). Default: everything with a user password, nothing with only an owner
    password."""
    action: Action = "encrypt"
    """`encrypt` sets passwords; `decrypt` removes the encryption."""
    password: Password | None = None
    """A password of a file that is encrypted now."""

    @model_validator(mode="after")
    def _check_action(self) -> Self:
        if self.action == "decrypt":
            self._check_decryption()
        elif self.user_password is None and self.owner_password is None:
            raise ValueError("user_password or owner_password: encrypt needs one.")
        elif self.user_password == self.owner_password:
            raise ValueError("owner_password: must differ from user_password.")
        return self

    def _check_decryption(self) -> None:
        if self.user_password is not None or self.owner_password is not None:
            name = "user_password" if self.user_password is not None else "owner_password"
            raise ValueError(f"{name}: goes with action=encrypt; to open the file, send password.")
        if self.allow is not None:
            raise ValueError("allow: goes with action=encrypt.")

    @property
    def permissions(self) -> list[Permission]:
        """What readers may do with the result without its owner password."""
        if self.action == "decrypt":
            return list(PERMISSIONS)
        if self.allow is not None:
            return self.allow
        return [] if self.user_password is None else list(PERMISSIONS)
