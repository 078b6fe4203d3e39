"""The charset of names: said by the archive, or found over all names together."""

import pytest

import mediakit
from mediakit.engines.archives.name_charset import likely_charset
from mediakit.errors import InvalidInput
from tests.support.zip_kit import Part, archive, unicode_path

NAMES = {
    "cp866": ["Отчёт за июнь.docx", "Фотографии", "Смета.xlsx"],
    "cp1251": ["Договор аренды.pdf", "Приложение 2.pdf", "Сведения о работе.txt"],
    "cp850": ["Übersicht für Käufer.pdf", "Größe.txt"],
    "cp437": ["español.txt", "années.csv", "mañana.doc"],
    "cp852": ["Žádost o příspěvek.doc", "Přehled účtů.xls"],
    "cp1250": ["Zażółć gęślą jaźń.txt", "Umowa najmu części.pdf"],
    "cp737": ["Ελληνικό κείμενο.txt", "Φωτογραφίες.zip"],
    "cp932": ["日本語テキスト.txt", "見積書.xls"],
    "gbk": ["新建文本文档.txt", "年度工作报告.doc"],
    "big5": ["新增文字文件.txt", "會議記錄與報告.doc"],
    "cp949": ["새 텍스트 문서.txt", "보고서.hwp"],
    "cp862": ["מסמך חדש.txt", "תמונות.zip"],
}


@pytest.mark.parametrize("charset", NAMES)
def test_names_of_windows_are_read(charset: str) -> None:
    content = archive(*(Part(name.encode(charset), system=0) for name in NAMES[charset]))
    result = mediakit.unzip(content)
    assert result.names == NAMES[charset]
    assert [name.encode(result.name_encoding) for name in result.names] == [
        name.encode(charset) for name in NAMES[charset]
    ]


def test_declared_names_do_not_depend_on_the_others() -> None:
    raw = "Отчёт.txt".encode("cp866")
    parts = (
        Part("größe.txt".encode(), flags=0x800),
        Part(b"M?ller.txt", extra=unicode_path(b"M?ller.txt", "Müller.txt")),
        Part(raw),
        Part("Фотографии.txt".encode("cp866")),
    )
    assert mediakit.unzip(archive(*parts)).names == ["größe.txt", "Müller.txt", "Отчёт.txt", "Фотографии.txt"]


def test_unicode_path_of_another_name_is_ignored() -> None:
    content = archive(Part(b"a.txt", extra=unicode_path(b"a.txt", "../evil.txt", crc=1)))
    assert mediakit.unzip(content).names == ["a.txt"]


def test_valid_utf8_without_the_flag_is_utf8() -> None:
    result = mediakit.unzip(archive(Part("naïve-日本.txt".encode())))
    assert (result.names, result.name_encoding) == (["naïve-日本.txt"], "utf-8")


def test_name_encoding_decides() -> None:
    content = archive(Part("für.txt".encode("cp1252")))
    assert mediakit.unzip(content, name_encoding="cp1252").names == ["für.txt"]
    assert mediakit.unzip(content, name_encoding="cp1251").names == ["fьr.txt"]


@pytest.mark.parametrize("charset", ["klingon", "base64", "rot13", "hex", "x" * 40, "utf-8\0"])
def test_unknown_charset_is_refused(charset: str) -> None:
    with pytest.raises(InvalidInput, match="name_encoding: "):
        mediakit.unzip(archive(Part(b"a\xff")), name_encoding=charset)


def test_every_byte_is_read() -> None:
    high = bytes(range(0x80, 0x100))
    name = mediakit.unzip(archive(Part(high)), list_only=True).entries[0].name
    assert name == high.decode(likely_charset([high]))
