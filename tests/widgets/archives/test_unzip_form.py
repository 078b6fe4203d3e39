"""The form of `unzip` lists the entries of its archive, with check boxes that choose names."""

from typing import Any

import mediakit
from mediakit.samples import ARCHIVE, LOGO
from mediakit.widgets.archives.unzip_form import UnzipForm
from tests.support.zip_kit import Part, archive
from tests.widgets.test_form import wait_for_update


def loaded(**values: Any) -> UnzipForm:
    form = mediakit.form(mediakit.unzip, **values)
    assert isinstance(form, UnzipForm)
    form._entries_update.wait()
    return form


def facts(form: UnzipForm) -> list[str]:
    return [row.children[1].value for row in form._names._rows.children]


def test_each_file_has_a_check_box_with_its_size() -> None:
    form = loaded(file=ARCHIVE)
    assert list(form._names.boxes) == ["data/cities.csv", "data/visits.csv", "notes/größe.txt", "logo.png"]
    assert facts(form)[0] == "<span>77 B · deflate</span>"


def test_checked_entries_are_unpacked() -> None:
    form = loaded(file=ARCHIVE)
    form._names.boxes["logo.png"].value = True
    assert form.values["names"] == ["logo.png"]
    wait_for_update(form)
    assert (form.result.names, form.result[0].file) == (["logo.png"], LOGO.read_bytes())
    assert 'names=["logo.png"]' in form.code()
    form._names.boxes["logo.png"].value = False
    assert form.values.get("names") is None


def test_names_of_the_text_are_checked_and_patterns_stay() -> None:
    form = loaded(file=ARCHIVE, names=["*.csv", "logo.png"])
    assert [name for name, box in form._names.boxes.items() if box.value] == ["logo.png"]
    form._names.boxes["logo.png"].value = False
    assert form.values["names"] == ["*.csv"]


def test_unsafe_entries_are_marked_and_cannot_be_checked() -> None:
    form = loaded(file=archive(Part(b"a.txt"), Part(b"../<b>.txt")))
    assert facts(form)[1] == "<span><b>unsafe: leaves the archive</b></span>"
    assert [box.disabled for box in form._names.boxes.values()] == [False, True]
    assert not form._names.boxes["../<b>.txt"].description_allow_html


def test_large_archive_shows_its_first_entries() -> None:
    form = loaded(file=archive(*(Part(b"f%d" % number, method=0) for number in range(250))))
    assert len(form._names.boxes) == 200
    assert "The first 200 of 250 entries are shown." in form._names._note.value


def test_form_without_archive_says_what_to_do() -> None:
    assert "Choose an archive to see its entries." in loaded()._names._note.value
    assert "Choose an archive to see its entries." in loaded(file=LOGO)._names._note.value
