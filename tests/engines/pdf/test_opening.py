"""Opening PDFs: passwords, damage and limits."""

import re
import zlib
from collections.abc import Sequence
from typing import Literal

import pikepdf
import pytest
from pikepdf import Encryption, Name, Permissions
from pypdf import PasswordType

from mediakit.engines.pdf import opening
from mediakit.engines.pdf.opening import open_pdf, restrictions, warn_of_lost_protection
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput
from tests.support.pdf_kit import blank, plain, reader, saved, texts


def encrypted(user: str = "", owner: str = "owner", **permissions: bool) -> bytes:
    return saved(blank(2), encryption=Encryption(user=user, owner=owner, allow=Permissions(**permissions)))


def refusal(content: bytes, *passwords: str, field: str = "file") -> str:
    with pytest.raises(InvalidInput) as caught:
        open_pdf(content, field, passwords)
    return caught.value.message


def test_sound_pdf_opens_without_warnings() -> None:
    source = open_pdf(plain(3))
    assert len(source.pages) == 3
    assert source.warnings == []


def test_encrypted_pdf_without_password_is_refused() -> None:
    assert refusal(encrypted("secret")) == "file: is encrypted; send its password."
    assert refusal(encrypted("secret"), field="files[2]") == "files[2]: is encrypted; send its password."


def test_wrong_password_is_refused() -> None:
    assert refusal(encrypted("secret"), "wrong") == "password: does not open this file."
    assert refusal(encrypted("secret"), "wrong", field="files[1]") == "password: does not open files[1]."


@pytest.mark.parametrize("password", ["secret", "owner"])
def test_any_of_the_passwords_opens_an_encrypted_pdf(password: str) -> None:
    assert len(open_pdf(encrypted("secret"), passwords=["wrong", password]).pages) == 2


def test_restricted_pdf_opens_and_names_its_restrictions() -> None:
    source = open_pdf(encrypted(extract=False, modify_annotation=False))
    assert restrictions(source.pdf) == ["copying", "annotating", "assembling pages"]
    warn_of_lost_protection(source)
    assert source.warnings == [
        "The file restricts copying, annotating and assembling pages; the result is not protected."
    ]


def test_pdf_without_cross_references_is_repaired_with_a_warning() -> None:
    content = plain(2)
    source = open_pdf(content[: content.rindex(b"startxref")])
    assert len(source.pages) == 2
    assert source.warnings[0].startswith("The file was damaged and has been repaired: ")


def test_garbage_behind_a_pdf_header_is_refused() -> None:
    message = refusal(b"%PDF-1.7\nnothing here at all")
    assert message.startswith("file: is a damaged PDF that cannot be read (")


def test_pdf_without_pages_is_refused() -> None:
    assert refusal(saved(pikepdf.new())) == "file: is a PDF without pages."


def test_pdf_with_too_many_pages_is_refused() -> None:
    assert refusal(plain(501)) == "file: has 501 pages; the most is 500."


@pytest.mark.parametrize(("size", "refused"), [(290_000_000, False), (310_000_000, True)])
def test_streams_that_inflate_to_more_than_300_mb_are_refused(size: int, refused: bool) -> None:
    twice = zlib.compress(zlib.compress(bytes(size), 1))
    packed = (
        b"%%PDF-1.4\n1 0 obj <</Type/Catalog /Pages 2 0 R>> endobj\n"
        b"2 0 obj <</Type/Pages /Kids [3 0 R] /Count 1>> endobj\n"
        b"3 0 obj <</Type/Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R>> endobj\n"
        b"4 0 obj <</Filter [/FlateDecode /FlateDecode] /Length %d>> stream\n%s\nendstream endobj\n"
        b"trailer <</Root 1 0 R>>\n" % (len(twice), twice)
    )
    if refused:
        assert refusal(packed) == "file: unpacks to more than 300 MB."
    else:
        assert len(open_pdf(packed).pages) == 1


def test_missing_resources_do_not_count_as_damage() -> None:
    pdf = blank(1)
    del pdf.pages[0].obj[Name.Resources]
    assert open_pdf(saved(pdf)).warnings == []


# --- damaged and encrypted --------------------------------------------------------------------------------------------


def damaged(revision: Literal[4, 6] = 6, user: str = "secret") -> bytes:
    """Return an encrypted PDF without a usable cross-reference table, whose trailer does not name the catalog."""
    options = Encryption(user=user, owner="owner", R=revision)
    content = saved(blank(2), encryption=options, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    without_root = re.sub(rb"/Root \d+ 0 R", lambda match: b" " * len(match[0]), content)
    return re.sub(rb"startxref\s+\d+", b"startxref 7", without_root)


@pytest.mark.parametrize("revision", [4, 6])
def test_damaged_pdf_that_is_rebuilt_keeps_its_encryption(revision: Literal[4, 6]) -> None:
    source = open_pdf(damaged(revision), passwords=["secret"])
    assert source.is_encrypted
    result = save(source.pdf)
    assert reader(result).decrypt("secret") is PasswordType.USER_PASSWORD
    assert texts(save(source.pdf, encryption=False)) == ["page 1", "page 2"]


def test_damaged_pdf_whose_encryption_cannot_be_kept_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opening.rebuild

    def without_key(content: bytes, passwords: Sequence[str], *, keep_encryption: bool) -> tuple[bytes, bool]:
        return (b"", True) if keep_encryption else kept(content, passwords, keep_encryption=False)

    monkeypatch.setattr(opening, "rebuild", without_key)
    source = open_pdf(damaged(), passwords=["secret"])
    assert source.lost_encryption
    assert "The file is encrypted, but damaged in such a way that its encryption was lost." in source.warnings


def test_damaged_pdf_that_lost_its_key_is_refused() -> None:
    content = damaged()
    message = refusal(content[: content.rindex(b"trailer")], "secret")
    assert message == "file: is a damaged PDF that cannot be read (its encryption key is lost)."


def test_damaged_encrypted_pdf_needs_its_password() -> None:
    assert refusal(damaged()) == "file: is encrypted; send its password."
    assert refusal(damaged(), "wrong") == "password: does not open this file."


def test_encryption_with_certificates_is_refused() -> None:
    content = saved(blank(), encryption=Encryption(user="u", owner="o", R=4))
    message = refusal(content.replace(b"/Standard", b"/Adobe.PK"), "u")
    assert message == "file: is encrypted in a way that is not supported, such as with certificates."
