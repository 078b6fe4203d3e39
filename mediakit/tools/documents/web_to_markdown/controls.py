"""Shows the text of buttons, and the content of closed panels that a control of the page opens.

A page is converted as if its visitor had opened each accordion and each tab. Dialogs, menus, banners and texts for
screen readers stay hidden.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    HEADING_LEVELS,
    class_names,
    has_text,
    is_hidden,
    tag_name,
    word_set,
)

PANEL_TITLE = "data-panel-title"
"""Attribute of lines that are the title of the panel after them."""

MAX_BUTTON_CHARACTERS = 60
"""A button with more text contains page content."""

MAX_BUTTONS = 1_000
"""Buttons of one page that are examined. All others are kept."""

MAX_LINE_ELEMENTS = 200
"""Elements of a line that are examined for text beside a button."""

MIN_SENTENCE_CHARACTERS = 12
"""Characters beside a button from which it is a part of a sentence."""

_PANEL_NAME = re.compile(
    r"accord|faq|tab-?(?:pane|panel|content|body)|tabs?[-_]+(?:pane|panel|content|item)|collaps|expand|toggle[-_]?content|"
    r"spoiler|answer|panel|disclosure|folded|read-?more|show-?more|more-?(?:text|content)",
    re.IGNORECASE,
)
_TABS_NAME = re.compile(r"(?:^|[\s_-])(?:tabs?|accordion|faq|toggle|collapse)(?:$|[\s_-])", re.IGNORECASE)
_NEVER_OPENED = re.compile(
    r"modal|dialog|popup|pop-?over|tooltip|lightbox|overlay|cookie|consent|gdpr|menu|nav|dropdown|drawer|off-?canvas|"
    r"search|login|sign-?in|newsletter|banner|toast|alert|sr-only|visually-?hidden|screen-?reader|template|share|social|"
    r"comment|filter|cart|language|loader|loading|spinner",
    re.IGNORECASE,
)
"""Names of hidden elements that are not content, and of the elements around them."""

_NEVER_OPENED_ROLES = word_set(
    "dialog alertdialog menu menubar listbox tooltip navigation search alert status banner contentinfo form"
)
_PAGE_PARTS = ("nav", "header", "footer", "form", "dialog", "template", "noscript", "aside")
_TAB_KINDS = ("tab", "pill")
_TAB_LABELS, _TAB_PANEL = "tabbed-labels", "tabbed-block"
"""Class names of the tabs of Python-Markdown, which have no roles."""

_POPUPS = ("modal", "dropdown", "offcanvas", "popover", "tooltip", "dialog")
_TARGETS = ("data-bs-target", "data-target", "data-toggle-target", "data-controls", "data-collapse-target")

_ACTION = re.compile(
    r"(?:copy|share|repl(?:y|ies)|like|follow|subscribe|sign (?:in|up)|log ?(?:in|out)|register|submit|send|search|"
    r"close|menu|open|toggle|next|prev(?:ious)?|back|play|pause|mute|download|print|save|add|buy|checkout|load|show|read|view|see|"
    r"learn|accept|reject|decline|allow|agree|manage|cookies?|settings|ok|cancel|edit|delete|report|expand|collapse|comments?|"
    r"try|get|start|join|skip|continue|apply|clear|reset|sort|filter|upload|run|listen|donate|bookmark|dismiss|vote|"
    r"kopieren|teilen|antworten|abonnieren|anmelden|suchen?|schließen|drucken|speichern|weiter|zurück|mehr|"
    r"copier|partager|répondre|suivre|connexion|envoyer|rechercher|fermer|imprimer|voir|lire|"
    r"copiar|compartir|responder|seguir|buscar|cerrar|imprimir|ver|leer|enviar)(?:\b.*)?",
    re.IGNORECASE | re.DOTALL,
)
"""Labels of buttons that do something with the page or its text."""

_ACTION_NAME = re.compile(
    r"(?:^|\s|btn[_-]+|button[_-]+)(?:{0})|(?:{0})[_-]?(?:btn|button|icon|link)".format(
        "copy|shar(?:e|ing)|close|submit|search|menu|nav|social|follow|subscri|like|vote|cart|login|download|clipboard|cookie"
    ),
    re.IGNORECASE,
)
_CONTROL_ATTRIBUTES = frozenset(("aria-controls", "data-toggle", "data-bs-toggle", *_TARGETS))


def open_panels(root: HtmlElement) -> None:
    """Show the panels that a control opens, and write the labels of tabs above their panels."""
    hidden, controls, ids, tab_lists = _hidden_elements_and_controls(root)
    openers: dict[HtmlElement, HtmlElement] = {}
    for control in controls:
        for panel in _controlled_panels(control, ids):
            openers.setdefault(panel, control)
    for element in hidden:
        opener = openers.get(element)
        is_panel = _is_panel_by_itself(element, ids) if opener is None else not _is_page_control(opener)
        if is_panel and not _is_never_opened(element):
            element.attrib.pop("hidden", None)
            if style := element.get("style"):
                element.set("style", re.sub(r"(?:display|visibility)\s*:[^;]*", "", style, flags=re.IGNORECASE))
    for tab_list in tab_lists:
        _label_tab_panels(tab_list, ids)


def _hidden_elements_and_controls(
    root: HtmlElement,
) -> tuple[list[HtmlElement], list[HtmlElement], dict[str, HtmlElement], list[HtmlElement]]:
    """Return the elements that are hidden, those that may open them, all elements by their id, and lists of tabs."""
    hidden: list[HtmlElement] = []
    controls: list[HtmlElement] = []
    ids: dict[str, HtmlElement] = {}
    tab_lists: list[HtmlElement] = []
    for element in root.iterdescendants():  # XPath takes eight times as long for so many attributes
        if names := element.keys():
            if "id" in names:
                ids[element.get("id") or ""] = element
            if ("style" in names or "hidden" in names) and is_hidden(element):
                hidden.append(element)
            role = element.get("role") if "role" in names else None
            if role == "tablist" or ("class" in names and _TAB_LABELS in class_names(element).split()):
                tab_lists.append(element)
            is_fragment_link = "href" in names and element.tag == "a" and (element.get("href") or "").startswith("#")
            if is_fragment_link or role == "tab" or not _CONTROL_ATTRIBUTES.isdisjoint(names):
                controls.append(element)
    return hidden, controls, ids, tab_lists


def _controlled_panels(control: HtmlElement, ids: dict[str, HtmlElement]) -> Iterator[HtmlElement]:
    """Yield the panels that a control opens by its attributes."""
    kind = (control.get("data-bs-toggle") or control.get("data-toggle") or "").lower()
    if kind in _POPUPS or (control.get("aria-haspopup") or "false") not in ("false", ""):
        return
    names = (control.get("aria-controls") or "").split()
    for attribute in _TARGETS:
        names += [name.removeprefix("#") for name in (control.get(attribute) or "").split() if name.startswith("#")]
    reference = control.get("href") or ""
    if reference.startswith("#"):
        around = chain((control,), islice(control.iterancestors(), 3))
        if kind or control.get("role") == "tab" or any(map(_TABS_NAME.search, map(class_names, around))):
            names.append(reference[1:])
    yield from (ids[name] for name in names if name in ids)


def _is_panel_by_itself(element: HtmlElement, ids: dict[str, HtmlElement]) -> bool:
    """Return whether a hidden element is a panel by its role, or by its name or its place after a control."""
    if element.get("role") == "tabpanel":
        return True
    label = ids.get((element.get("aria-labelledby") or "").split(" ")[0])
    if label is not None and (
        label.tag == "button" or label.get("role") in ("button", "tab") or label.get("aria-expanded")
    ):
        return True
    previous = element.getprevious()
    if previous is None:
        parent = element.getparent()
        previous = parent.getprevious() if parent is not None and _PANEL_NAME.search(class_names(element)) else None
    if previous is None:
        return False
    if any(each.get("aria-expanded") == "false" for each in previous.iter()):
        return True
    is_title = (
        previous.tag in (*HEADING_LEVELS, "button", "dt", "summary")
        or next(previous.iter("button", *HEADING_LEVELS), None) is not None
        or bool(_PANEL_NAME.search(class_names(previous)))
    )
    return is_title and (
        element.tag == "dd" or bool(_PANEL_NAME.search(f"{class_names(element)} {element.get('id') or ''}"))
    )


def _is_never_opened(panel: HtmlElement) -> bool:
    """Return whether a hidden element is a dialog, a menu, a form or another part of the page that is not content."""
    for element in (panel, *panel.iterancestors()):
        if element.tag in ("body", "html"):
            break
        names = f"{class_names(element)} {element.get('id') or ''}"
        if (
            element.tag in _PAGE_PARTS
            or element.get("role") in _NEVER_OPENED_ROLES
            or element.get("aria-modal") == "true"
            or ((element is panel or is_hidden(element)) and _NEVER_OPENED.search(names))
        ):
            return True
    if not has_text(panel) or next(panel.iter("nav"), None) is not None:
        return panel.get("role") != "tabpanel" and next(panel.iter("img", "math", "table"), None) is None
    if any((box.get("type") or "text") in ("text", "search", "password", "email") for box in panel.iter("input")):
        return True
    text = len("".join(panel.itertext()).split())
    links = sum(len(link.text_content().split()) for link in panel.iter("a"))
    return panel.get("role") != "tabpanel" and 2 * links > text


def _is_page_control(control: HtmlElement) -> bool:
    """Return whether a control opens a menu of the page: it is in a header, footer or navigation, and no tab."""
    if control.get("role") == "tab" or (control.get("data-bs-toggle") or control.get("data-toggle")) in _TAB_KINDS:
        return False  # Bootstrap puts the tabs of any content into `nav` elements
    return any(
        next(part.iterancestors("article", "main", "section"), None) is None
        for part in control.iterancestors("nav", "header", "footer")
    )


def _label_tab_panels(tab_list: HtmlElement, ids: dict[str, HtmlElement]) -> None:
    """Write the label of each tab above its panel, and remove the list of tabs."""
    tabs = [element for element in tab_list.iter() if element.get("role") == "tab"] or list(tab_list.iter("label"))
    found = [next(_controlled_panels(tab, ids), None) for tab in tabs]
    panels = [panel for panel in found if panel is not None and not is_hidden(panel)]
    if not any(panel is not None for panel in found):
        panels = _panels_after(tab_list)
    if len(tabs) < 2 or len(panels) != len(tabs) or len(set(panels)) < len(panels):
        return
    if not set(panels).isdisjoint(tab_list.iterancestors()):
        return
    for tab, panel in zip(tabs, panels, strict=True):
        label = " ".join(tab.text_content().split())
        titles = (" ".join(child.text_content().split()) for child in panel.iterdescendants(*HEADING_LEVELS))
        if label and label not in titles:
            line, strong = panel.makeelement("p", {PANEL_TITLE: ""}), panel.makeelement("strong")
            strong.text, line.tail, panel.text = label, panel.text, None
            line.append(strong)
            panel.insert(0, line)
    tab_list.drop_tree()


def _panels_after(tab_list: HtmlElement) -> list[HtmlElement]:
    """Return the panels after a list of tabs, in its order, without those inside of other panels."""
    container = tab_list.getnext()
    if container is None:
        return []
    panels = dict.fromkeys(
        each for each in container.iter() if each.get("role") == "tabpanel" or _TAB_PANEL in class_names(each).split()
    )
    outer = [panel for panel in panels if not any(ancestor in panels for ancestor in panel.iterancestors())]
    return [] if any(map(is_hidden, outer)) else outer


def show_buttons(body: HtmlElement, *, only_content: bool) -> None:
    """Replace buttons with their text.

    `only_content` removes buttons that do something with the page, such as "Share", and those beside the text. A button
    is content as a word of a sentence, as a heading or question, and as an item of a list or table.
    """
    for button in list(body.iter("button"))[:MAX_BUTTONS]:
        parent = button.getparent()
        if parent is None:
            continue
        has_blocks = next(button.iterdescendants(*BLOCK_ELEMENTS), None) is not None
        is_in_code = next(button.iterancestors("pre"), None) is not None
        if is_in_code or (only_content and not _is_content(button, has_blocks=has_blocks)):
            button.drop_tree()
            continue
        next_element = button.getnext()
        is_line = tag_name(parent) in BLOCK_ELEMENTS and not has_own_text(parent) and parent.tag not in HEADING_LEVELS
        is_question = is_line and next_element is not None and tag_name(next_element) in BLOCK_ELEMENTS
        button.tag = "div" if has_blocks or (is_line and not is_question) else "p" if is_question else "span"
        if is_question and not has_blocks:
            button.set(PANEL_TITLE, "")
            strong = button.makeelement("strong")
            strong.text, button.text = button.text, None
            strong.extend(list(button))
            button.append(strong)


def has_own_text(element: HtmlElement) -> bool:
    """Return whether an element has text outside of its children."""
    return bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)


def _is_content(button: HtmlElement, *, has_blocks: bool) -> bool:
    label = " ".join(button.text_content().split())
    if not label or next(button.iterancestors("nav", "pre"), None) is not None:
        return False
    is_action = bool(_ACTION.fullmatch(label) or _ACTION_NAME.search(class_names(button)))
    is_action = is_action or not any(map(str.isalnum, label))
    if len(label) > MAX_BUTTON_CHARACTERS or (button.get("aria-controls") and not is_action):
        return not (is_action and not re.search(r"[.!?:] ", f"{label} ")) and not _is_in_form(button)
    if next(button.iterancestors(*HEADING_LEVELS, "dt", "summary", "caption", "legend"), None) is not None:
        return not is_action or button.get("aria-expanded") is not None or not _has_text_beside(button)
    if _is_in_sentence(button):
        return True
    if is_action or button.get("type") == "submit" or _is_in_form(button):
        return label.endswith("?") and not _is_in_form(button)
    parent = button.getparent()
    is_item = parent is not None and parent.tag in ("li", "td", "th", "dd")
    panel = button.getnext()
    opens_next = panel is not None and any(_PANEL_NAME.search(class_names(each)) for each in (button, panel))
    is_title = button.get("aria-expanded") is not None or label.endswith(("?", "？")) or opens_next
    return is_title or is_item or has_blocks or _has_text_beside(button)


def _is_in_form(button: HtmlElement) -> bool:
    return next(button.iterancestors("form"), None) is not None


def _is_in_sentence(button: HtmlElement) -> bool:
    """Return whether a button is a word of a sentence: text surrounds it, and the line ends as a sentence does."""
    line = button.getparent()
    if line is None or line.tag not in ("p", "li", "td", "dd") or len(line) > MAX_LINE_ELEMENTS:
        return False
    before = (line.text or "").strip() or next(iter(button.itersiblings(preceding=True)), None) is not None
    text = line.text_content().rstrip()
    return bool(before) and bool((button.tail or "").strip()) and text.endswith((".", "!", "?", "…", "。"))


def _has_text_beside(button: HtmlElement) -> bool:
    """Return whether a button is in a line with other text."""
    parent = button.getparent()
    block = next((each for each in button.iterancestors() if tag_name(each) in BLOCK_ELEMENTS), None)
    if block is None or parent is None:
        return False
    if next(block.iterdescendants(*BLOCK_ELEMENTS), None) is not None:
        return block is parent and has_own_text(block)
    texts = [block.text or ""]
    for child in block[:MAX_LINE_ELEMENTS]:
        is_beside = child.tag != "button" and next(child.iter("button"), None) is None
        texts += [child.text_content() if is_beside else "", child.tail or ""]
        texts += [each.tail or "" for each in child.iter("button") if each is not child]
    return sum(len(text.strip()) for text in texts) >= MIN_SENTENCE_CHARACTERS
