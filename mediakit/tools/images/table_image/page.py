"""The HTML page of a table: one self-contained file that needs no scripts and loads nothing."""

import json
from html import escape

from mediakit.engines.drawing.drawing import Box, Drawing
from mediakit.engines.drawing.number_format import decimal_mark
from mediakit.tools.images.table_image.cell_formats import Cell
from mediakit.tools.images.table_image.column_widths import parts_of, spans
from mediakit.tools.images.table_image.content import Content, ShownColumn
from mediakit.tools.images.table_image.painting import draw_bar, draw_sparkline
from mediakit.tools.images.table_image.theme import SHAPE_CONTRAST, Theme, readable, text_on

FONT = "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif"
BAR_EM, LINE_EM = 6.5, 1.5


def page(content: Content, theme: Theme, accent: str, title: str, width: int | None) -> str:
    """Return the page; without a width in CSS pixels, the table has the one that its content needs."""
    backgrounds = [color for color in (theme.background, theme.band, theme.group) if color]
    shape = readable(accent, *backgrounds, minimum=SHAPE_CONTRAST)
    heading = readable(accent, *backgrounds)
    body = "".join(_body(content, theme, shape))
    head = f'<p class="h" dir="auto">{escape(content.title)}</p>' if content.title else ""
    head += f'<p class="u" dir="auto">{escape(content.subtitle)}</p>' if content.subtitle else ""
    caption = f"<figcaption>{head}</figcaption>" if head else ""
    lines = (content.more, *content.notes) if content.more else content.notes
    notes = "".join(f'<p dir="auto">{escape(line)}</p>' for line in lines)
    foot = f'<div class="f">{notes}</div>' if notes else ""
    direction = ' dir="rtl"' if content.is_right_to_left else ""
    return (
        f'<!doctype html>\n<html lang="{content.lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_style(theme, shape, heading, width)}</style>\n</head>\n"
        f'<body>\n<figure class="t">{caption}'
        f'<div class="s" role="region" aria-label="{escape(title)}" tabindex="0"><table{direction}>'
        f"{_header(content)}{body}</table></div>{foot}</figure>\n</body>\n</html>\n"
    )


def _style(theme: Theme, shape: str, heading: str, width: int | None) -> str:
    rule = f"1px solid {theme.rule}" if theme.has_rules else "0"
    frame = f"{theme.frame_width:g}px solid {theme.frame}"
    size = f"width:{width}px;max-width:100%" if width else "width:max-content;max-width:100%"
    parts = [
        f"body{{margin:0;background:{theme.background}}}",
        f".t{{box-sizing:border-box;{size};margin:0;padding:18px;font:14px/1.36 {FONT};color:{theme.text}}}",
        ".s{overflow-x:auto}",
        "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums lining-nums}",
        f".h{{margin:0;font-size:20px;font-weight:600;color:{theme.strong}}}",
        f".u{{margin:2px 0 0}}.u,.f,.x{{color:{theme.muted}}}.f{{font-size:12px;margin:7px 0 0}}.f p{{margin:0}}",
        f"th,td{{padding:7px 11px;text-align:start;vertical-align:top}}tbody td{{border-top:{rule}}}",
        f"thead th{{font-size:13px;font-weight:600;color:{theme.strong};vertical-align:bottom}}",
        f"thead tr:last-child th{{border-bottom:{frame}}}",
        f"thead .p{{text-align:center;border-bottom:1px solid {theme.frame}}}",
        "thead small{display:block;font-size:12px;font-weight:400}",
        f"tbody:last-of-type tr:last-child td{{border-bottom:{frame}}}",
        f"tbody th{{color:{heading};font-weight:600;padding-top:12px}}",
        f".z td{{border-top:{frame};font-weight:600;color:{theme.strong}}}",
        ".r{text-align:right}.c{text-align:center}.b{font-weight:600}.n{white-space:nowrap}",
        ".w{max-width:32em;overflow-wrap:anywhere}.c .w,.r .w{margin-left:auto}.c .w{margin-right:auto}",
        ".i{visibility:hidden;-webkit-user-select:none;user-select:none}",
        "svg{vertical-align:middle;margin-right:.7em}.l svg{margin:0}",
        "sup{line-height:0}",
    ]
    if theme.has_mark:
        parts.append(
            f".h::before{{content:'';display:block;width:36px;height:4px;margin-bottom:9px;background:{shape}}}"
        )
    if theme.band:
        parts.append(f"tbody tr.e td{{background:{theme.band}}}")
    if theme.header:
        parts.append(f"thead th{{background:{theme.header}}}")
    if theme.group:
        parts.append(f"tbody th{{background:{theme.group}}}")
    if theme.has_columns:
        parts.append(f"th,td{{border:1px solid {theme.rule}}}")
    return "".join(parts)


def _header(content: Content) -> str:
    """Return the widths of the columns, and their headers with those of several columns above."""
    groups = ""
    if any(column.width_pct for column in content.columns):
        for column in content.columns:
            groups += f'<col style="width:{column.width_pct:g}%">' if column.width_pct else "<col>"
        groups = f"<colgroup>{groups}</colgroup>"
    above = ""
    for start, end in spans(content.columns) if content.has_spanners else ():
        text = content.columns[start].spanner
        kind = ' class="p"' if text else ""
        above += f'<th scope="colgroup" colspan="{end - start}"{kind} dir="auto">{escape(text)}</th>'
    names = ""
    for column in content.columns:
        unit = f'<small class="x">{escape(column.unit)}</small>' if column.unit else ""
        names += f'<th scope="col"{_class(column)} dir="auto">{escape(column.label + column.mark)}{unit}</th>'
    return f"{groups}<thead>{f'<tr>{above}</tr>' if above else ''}<tr>{names}</tr></thead>"


def _body(content: Content, theme: Theme, shape: str) -> list[str]:
    place, found = 0, []
    for heading, count in content.groups:
        rows = []
        if content.has_groups:
            rows.append(
                f'<tr><th scope="rowgroup" colspan="{len(content.columns)}" dir="auto">{escape(heading)}</th></tr>'
            )
        for number in range(count):
            cells = "".join(_cell(column, column.cells[place], content, shape) for column in content.columns)
            rows.append(f'<tr class="e">{cells}</tr>' if number % 2 == 0 and theme.band else f"<tr>{cells}</tr>")
            place += 1
        found.append(f"<tbody>{''.join(rows)}</tbody>")
    if content.has_total:
        totals = "".join(
            _cell(column, column.total, content, shape, is_total=True)
            if column.total
            else f"<td>{escape(content.total_label) if place == content.label_place else ''}</td>"
            for place, column in enumerate(content.columns)
        )
        found.append(f'<tbody><tr class="z">{totals}</tr></tbody>')
    return found


def _cell(column: ShownColumn, cell: Cell, content: Content, shape: str, *, is_total: bool = False) -> str:
    if cell.is_null:
        return f'<td{_class(column)}><span class="x">{cell.text}</span>{escape(cell.mark)}</td>'
    if cell.points:
        draw_sparkline(drawing := Drawing(), cell.points, Box(0, 0, 91, 24), shape)
        line = _svg(drawing, 24, json.dumps(list(cell.points))[1:-1][:200])
        return f"<td{_class(column, 'l')}>{line}{escape(cell.mark)}</td>"
    if cell.number is None:
        return f'<td{_class(column)} dir="auto"><div class="w">{escape(cell.text)}{escape(cell.mark)}</div></td>'
    style = ""
    if column.color_scale and not is_total:
        fill = column.color_scale.color_at(cell.number)
        style = f' style="background:{fill};color:{text_on(fill)}"'
    bar = ""
    if column.bar and not is_total:
        draw_bar(drawing := Drawing(), column, cell.number, Box(0, 0, 91, 11), shape)
        bar = _svg(drawing, 11)
    text = f"{escape(cell.text)}{_padding(column, cell, content)}{escape(cell.mark)}"
    return f"<td{_class(column, 'n')}{style}>{bar}{text}</td>"


def _padding(column: ShownColumn, cell: Cell, content: Content) -> str:
    """Return invisible characters after a number with fewer decimal places than others of a right-aligned column."""
    if column.side != "right":
        return ""
    cells = column.cells if column.total is None else (*column.cells, column.total)
    tails = [parts_of(each)[1] for each in cells if each.number is not None]
    longest, own = max(tails, key=len), parts_of(cell)[1]
    mark = decimal_mark(content.lang)
    if len(own) >= len(longest) or not longest.startswith(mark):
        return ""
    return f'<span class="i" aria-hidden="true">{escape(longest[len(own) :])}</span>'


def _svg(drawing: Drawing, height: int, label: str = "") -> str:
    role = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return f'<svg width="91" height="{height}" {role}>{"".join(shape.element for shape in drawing.shapes)}</svg>'


def _class(column: ShownColumn, *names: str) -> str:
    side = {"right": ["r"], "center": ["c"], "left": []}[column.side]
    found = [*side, *(["b"] if column.bold else []), *names]
    return f' class="{" ".join(found)}"' if found else ""
