"""How pages of notebooks look in Chromium: the places of equation numbers, and colors that authors choose."""

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.tools.documents.notebook_convert.notebooks import converted, markdown

pytest_plugins = ["tests.support.browser_fixtures", "tests.support.docs_fixtures"]
pytestmark = pytest.mark.browser


def opened(browser: Browser, *sources: str, **options: str) -> Page:
    page = browser.new_page(viewport={"width": 800, "height": 600})
    page.set_content(converted(*map(markdown, sources), **options).text)
    return page


def box(element: Locator) -> tuple[float, float, float]:
    """Return the left, right and vertical center of an element."""
    found = element.bounding_box()
    assert found is not None
    return found["x"], found["x"] + found["width"], found["y"] + found["height"] / 2


def test_numbers_are_at_the_right_margin_beside_their_rows(browser: Browser) -> None:
    page = opened(browser, "# T\n\n\\begin{align}xyz &= b \\\\ c &= d \\tag{K}\\end{align}\n\n$$e \\tag{L}$$")
    right = box(page.locator("section"))[1]
    for number, row in (("(1)", "z"), ("(K)", "d"), ("(L)", "e")):
        _, number_right, number_center = box(page.get_by_text(number, exact=True))
        row_left, row_right, row_center = box(page.locator("mi", has_text=row))
        assert abs(number_right - right) < 3
        assert abs(number_center - row_center) < 12
        assert 250 < row_left < row_right < 550
    page.close()


def test_signs_of_relation_of_aligned_rows_are_one_below_the_other(browser: Browser) -> None:
    page = opened(browser, "\\begin{align*}wide + x &= b \\\\ c &= wide + d\\end{align*}")
    first, second = page.locator("mo", has_text="=").all()
    assert abs(box(first)[0] - box(second)[0]) < 2
    page.close()


@pytest.mark.parametrize(
    ("theme", "source", "color"),
    [
        ("dark", '<b style="background:yellow">t</b>', "rgb(31, 36, 48)"),
        ("dark", '<table><tr><td bgcolor="#ffd"><b>t</b></td></tr></table>', "rgb(31, 36, 48)"),
        ("dark", '<b style="color:red;background:navy">t</b>', "rgb(255, 0, 0)"),
        ("dark", "<b>t</b>", "rgb(227, 230, 236)"),
        ("light", '<b style="background:yellow">t</b>', "rgb(31, 36, 48)"),
    ],
)
def test_text_on_the_backgrounds_of_authors_is_readable(browser: Browser, theme: str, source: str, color: str) -> None:
    page = opened(browser, source, theme=theme)
    assert page.locator("b").evaluate("element => getComputedStyle(element).color") == color
    page.close()


def test_styles_of_a_cell_do_not_cover_other_cells(browser: Browser) -> None:
    cover = '<div style="margin-top:-400px;width:3000px;height:1000px;background:red">cover</div>'
    page = opened(browser, "# First", cover)
    left, right, center = box(page.locator("h1"))
    script = "([x, y]) => document.elementFromPoint(x, y).closest('h1, div')?.tagName"
    assert page.evaluate(script, [(left + right) / 2, center]) == "H1"
    page.close()
