"""`pdf_protect`: passwords and permissions, read back with pypdf and pdfium."""

import io
import unicodedata
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Encryption, Name
from pypdf import PasswordType
from pypdf.constants import UserAccessPermissions

import mediakit
from mediakit.errors import InvalidInput
from tests.support.pdf_kit import (
    add_attachments,
    add_fields,
    add_labels,
    add_layers,
    add_outline,
    add_signature,
    add_tags,
    blank,
    outline_titles,
    plain,
    reader,
    reopened,
    saved,
    texts,
)

EVERYTHING = ["print", "copy", "modify", "annotate", "fill", "assemble"]


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.pdf_protect(*arguments, **options)
    return caught.value.message


def opened(content: bytes, password: str) -> list[str]:
    """Return the text of the pages, as pdfium reads them with a password."""
    pdf = pypdfium2.PdfDocument(content, password=password)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in pdf]


def restricted(**options: Any) -> bytes:
    return mediakit.pdf_protect(plain(2), owner_password="owner", **options).content


# --- encrypt ----------------------------------------------------------------------------------------------------------


def test_user_password_is_needed_to_open_the_result() -> None:
    result = mediakit.pdf_protect(plain(2), "secret")
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(result.content)
    assert opened(result.content, "secret") == ["page 1", "page 2"]


def test_both_passwords_open_the_result_each_in_its_role() -> None:
    result = mediakit.pdf_protect(plain(), "user", owner_password="owner")
    assert reader(result.content).decrypt("user") is PasswordType.USER_PASSWORD
    assert reader(result.content).decrypt("owner") is PasswordType.OWNER_PASSWORD
    assert reader(result.content).decrypt("wrong") is PasswordType.NOT_DECRYPTED


def test_encryption_is_aes_256_of_revision_6_with_metadata() -> None:
    result = mediakit.pdf_protect(plain(), "secret")
    security = pikepdf.open(io.BytesIO(result.content), password="secret").encryption
    assert (security.R, security.V, security.bits, security.stream_method.name) == (6, 5, 256, "aesv3")
    assert b"/EncryptMetadata false" not in result.content


def test_meta_describes_an_encrypted_result() -> None:
    meta = mediakit.pdf_protect(plain(2), "secret", allow=["fill", "print"]).meta
    assert meta["encrypted"] is True
    assert meta["algorithm"] == "AES-256"
    assert meta["permissions"] == ["print", "fill"]
    assert meta["pages"] == 2
    assert meta["warnings"] == []


FLAGS = {
    "print": UserAccessPermissions.PRINT | UserAccessPermissions.PRINT_TO_REPRESENTATION,
    "copy": UserAccessPermissions.EXTRACT,
    "modify": UserAccessPermissions.MODIFY,
    "annotate": UserAccessPermissions.ADD_OR_MODIFY,
    "fill": UserAccessPermissions.FILL_FORM_FIELDS,
    "assemble": UserAccessPermissions.ASSEMBLE_DOC,
}


def granted(content: bytes, password: str = "") -> set[str]:
    """Return the permissions of a PDF, as pypdf reads its flags; accessibility is always among the flags."""
    opened = reader(content)
    opened.decrypt(password)
    flags = opened.user_access_permissions
    assert flags is not None
    assert flags & UserAccessPermissions.EXTRACT_TEXT_AND_GRAPHICS
    return {name for name, flag in FLAGS.items() if flags & flag == flag}


@pytest.mark.parametrize("permission", EVERYTHING)
def test_one_permission_is_allowed_and_all_others_are_not(permission: str) -> None:
    assert granted(restricted(allow=[permission])) == {permission}


def test_default_permissions_are_everything_with_a_user_password() -> None:
    assert granted(mediakit.pdf_protect(plain(), "secret").content, "secret") == set(EVERYTHING)


def test_default_permissions_are_nothing_with_only_an_owner_password() -> None:
    result = mediakit.pdf_protect(plain(), owner_password="owner")
    assert granted(result.content) == set()
    assert result.meta["permissions"] == []


def test_pdf_with_only_an_owner_password_opens_for_everybody() -> None:
    assert texts(restricted()) == ["page 1", "page 2"]


def test_owner_password_is_random_by_default() -> None:
    one, other = (mediakit.pdf_protect(plain(), "secret") for _ in range(2))
    assert one.content != other.content
    assert reader(one.content).decrypt("") is PasswordType.NOT_DECRYPTED


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_composed_and_decomposed_passwords_open_the_same_file(form: Any) -> None:
    password = "Zoë’s café №½"
    result = mediakit.pdf_protect(plain(), unicodedata.normalize(form, password))
    prepared = unicodedata.normalize("NFKC", password)
    assert opened(result.content, prepared) == ["page 1"]
    back = mediakit.pdf_protect(result, action="decrypt", password=unicodedata.normalize("NFD", password))
    assert texts(back.content) == ["page 1"]


def test_non_breaking_space_and_soft_hyphen_do_not_count_in_passwords() -> None:
    result = mediakit.pdf_protect(plain(), "two\u00a0wo\u00adrds")
    assert opened(result.content, "two words") == ["page 1"]


def test_everything_in_the_file_is_kept() -> None:
    pdf = blank(3)
    add_outline(pdf, ["One", "Two"])
    add_labels(pdf, {0: ("r", "A-", 3)})
    add_fields(pdf, {"name": "Ada"})
    add_attachments(pdf, {"data.csv": b"a,b"})
    add_layers(pdf, {"Plan": True, "Notes": False})
    add_tags(pdf)
    content = saved(pdf)
    back = mediakit.pdf_protect(mediakit.pdf_protect(content, "x"), action="decrypt", password="x").content
    assert outline_titles(back) == outline_titles(content)
    assert reader(back).page_labels == ["A-iii", "A-iv", "A-v"]
    assert reader(back).get_form_text_fields() == {"name": "Ada"}
    assert dict(reader(back).attachments) == {"data.csv": [b"a,b"]}
    kept = reopened(back)
    assert [str(group.Name) for group in kept.Root.OCProperties.OCGs] == ["Plan", "Notes"]
    assert Name.StructTreeRoot in kept.Root


def test_signatures_are_removed_with_a_warning() -> None:
    pdf = blank()
    add_signature(pdf)
    result = mediakit.pdf_protect(saved(pdf), owner_password="owner")
    assert result.meta["warnings"] == ["1 signature was removed: a signature covers the original file only."]
    assert not reader(result.content).get_fields()


# --- decrypt ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", ["user", "owner"])
def test_either_password_decrypts(password: str) -> None:
    locked = mediakit.pdf_protect(plain(2), "user", owner_password="owner", allow=["print"])
    result = mediakit.pdf_protect(locked, action="decrypt", password=password)
    assert not reader(result.content).is_encrypted
    assert texts(result.content) == ["page 1", "page 2"]
    assert (result.meta["encrypted"], result.meta["algorithm"]) == (False, None)
    assert result.meta["permissions"] == EVERYTHING


def test_file_that_opens_without_a_password_is_decrypted_without_one() -> None:
    assert not reader(mediakit.pdf_protect(restricted(), action="decrypt").content).is_encrypted


def test_decrypting_the_same_file_twice_returns_equal_bytes() -> None:
    locked = mediakit.pdf_protect(plain(), "x").content
    one, other = (mediakit.pdf_protect(locked, action="decrypt", password="x").content for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("revision", "aes"), [(2, False), (3, False), (4, True), (6, True)])
@pytest.mark.parametrize("password", ["plain", "Zoë"])
def test_older_encryption_is_decrypted(revision: int, aes: bool, password: str) -> None:
    options: dict[str, Any] = {"R": revision, "aes": aes, "metadata": revision > 3}
    locked = saved(blank(2), encryption=Encryption(user=password, owner="o", **options))
    result = mediakit.pdf_protect(locked, action="decrypt", password=password)
    assert texts(result.content) == ["page 1", "page 2"]


# --- encrypt again ----------------------------------------------------------------------------------------------------


def test_encrypted_file_gets_new_passwords() -> None:
    locked = mediakit.pdf_protect(plain(), "old")
    result = mediakit.pdf_protect(locked, "new", password="old")
    assert opened(result.content, "new") == ["page 1"]
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(result.content, password="old")


def test_encrypted_file_is_not_encrypted_again_without_password() -> None:
    assert refusal(restricted(), "new") == (
        "password: is required, because the file is encrypted; send its password, or decrypt it first."
    )


def test_wrong_password_is_refused_although_the_file_opens_without_one() -> None:
    assert refusal(restricted(), "new", password="wrong") == "password: does not open this file."
    assert refusal(restricted(), action="decrypt", password="wrong") == "password: does not open this file."


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "user_password or owner_password: encrypt needs one."),
        ({"user_password": "same", "owner_password": "same"}, "owner_password: must differ from user_password."),
        ({"user_password": "é", "owner_password": "e\u0301"}, "owner_password: must differ from user_password."),
        (
            {"owner_password": "x", "allow": ["print", "edit"]},
            "allow: must be of print, copy, modify, annotate, fill, assemble, got edit.",
        ),
        ({"user_password": ""}, "user_password: must not be empty."),
        ({"user_password": "\u00ad"}, "user_password: must not be empty."),
        ({"user_password": "é" * 64}, "user_password: must have at most 127 bytes of UTF-8, got 128."),
        ({"owner_password": "x" * 128}, "owner_password: must have at most 127 characters, got 128."),
        ({"user_password": "a\x07"}, "user_password: must not contain the character U+0007."),
        (
            {"user_password": "שלום1a"},
            "user_password: must begin and end with right-to-left letters, and have no left-to-right ones beside them.",
        ),
        ({"action": "decrypt"}, "file: is not encrypted."),
        (
            {"action": "decrypt", "user_password": "x"},
            "user_password: goes with action=encrypt; to open the file, send password.",
        ),
        ({"action": "decrypt", "allow": []}, "allow: goes with action=encrypt."),
    ],
)
def test_request_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    assert refusal(plain(), **options) == message


def test_locked_file_without_and_with_a_wrong_password_is_refused() -> None:
    locked = mediakit.pdf_protect(plain(), "secret")
    assert refusal(locked, action="decrypt") == "file: is encrypted; send its password."
    assert refusal(locked, action="decrypt", password="wrong") == "password: does not open this file."


# --- in a notebook ----------------------------------------------------------------------------------------------------


def test_notebook_shows_no_pages_of_a_locked_result() -> None:
    data, _ = mediakit.pdf_protect(plain(2), "secret")._repr_mimebundle_()
    assert "open with a password only" in data["text/html"]
    assert not any(kind.startswith("image/") for kind in data)


def test_locked_result_is_drawn_with_its_password() -> None:
    result = mediakit.pdf_protect(plain(), "secret")
    assert result.to_pil(dpi=72, password="secret").size == (300, 400)
    with pytest.raises(InvalidInput, match="password: is required to open the PDF"):
        result.to_pil()
    with pytest.raises(InvalidInput, match="password: does not open the PDF"):
        result.to_pil(password="wrong")


def test_code_of_the_call_hides_the_passwords() -> None:
    result = mediakit.pdf_protect(plain(), "hunter2", owner_password="correct-horse")
    for language in ("python", "curl", "javascript", "http", "shell"):
        code = result.code(language)
        assert "hunter2" not in code
        assert "correct-horse" not in code
