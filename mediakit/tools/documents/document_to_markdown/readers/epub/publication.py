"""EPUB publications: their chapters in reading order (EPUB 3.3 and EPUB 2)."""

import posixpath

from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.epub.links import Links
from mediakit.tools.documents.document_to_markdown.readers.epub.package import read_package, resolve
from mediakit.tools.documents.document_to_markdown.readers.epub.xhtml import decode_page
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList

_ENCRYPTION = "META-INF/encryption.xml"
_FONT_ALGORITHMS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
"""Ways to obfuscate fonts, which do not encrypt the text."""

_CHARACTERS_PER_MARKUP = 4
"""How much longer pages may be than the content that is returned, before the rest of the chapters is not read."""


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a publication. Scripts, styles, fonts and remote resources are not opened.

    Raises:
        InvalidInput: It is damaged, or protected by DRM.
    """
    container = Container(content)
    _check_encryption(container)
    package = read_package(container)
    body = new_element("div")
    document = Document(body, title=package.title, author=package.author)
    document.created, document.modified = package.created, package.modified
    images, links = ImageList(), Links(options.notes)
    length = 0
    for path in package.chapters:
        if length > _CHARACTERS_PER_MARKUP * options.max_chars:
            document.truncated = True
            break
        page = body_of(parse_html(decode_page(container.read(path))))
        length += len(page.text_content())
        page.tag = "div"
        page.attrib.pop("hidden", None)
        _name_images(page, path, container, images, options)
        links.add_chapter(path, page)
        document.parts.append(package.titles.get(path) or _heading(page) or posixpath.basename(path))
        body.append(page)
    links.finish(body)
    document.images = images.images
    return document


def _check_encryption(container: Container) -> None:
    if _ENCRYPTION not in container:
        return
    content = container.read(_ENCRYPTION)
    methods = content.count(b"EncryptionMethod ") - sum(content.count(algorithm) for algorithm in _FONT_ALGORITHMS)
    if methods > 0:
        raise InvalidInput("file: is an EPUB that is protected by DRM, which cannot be read.")


def _heading(page: HtmlElement) -> str:
    heading = next(page.iter("h1", "h2", "h3"), None)
    return "" if heading is None else " ".join(heading.text_content().split())


def _name_images(page: HtmlElement, path: str, container: Container, images: ImageList, options: ReadOptions) -> None:
    """Let the images of a page refer to the list of images. Of images outside of the container, only the text stays."""
    folder = posixpath.dirname(path)
    for image in list(page.iter("image")):  # of SVG, often the cover
        image.tag = "img"
        image.set("src", image.get("xlink:href") or image.get("href") or "")
    for svg in list(page.iter("svg")):
        if svg.find(".//img") is not None:
            svg.tag = "div"
    for image in page.iter("img"):
        source = image.get("src") or ""
        name = None if options.images == "none" else _image_name(resolve(folder, source), image, container, images)
        for attribute in ("srcset", "src", "width", "height"):
            image.attrib.pop(attribute, None)
        if name:
            image.set("src", name)


def _image_name(path: str, image: HtmlElement, container: Container, images: ImageList) -> str | None:
    known = images.known(path)
    if known or path not in container:
        return known
    return images.add(path, container.read(path), " ".join((image.get("alt") or "").split()))
