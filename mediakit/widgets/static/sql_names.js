/* The names of tables and columns below a query. See columns.py. */

const RESERVED = new Set(`all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
  deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect into lambda lateral
  leading limit not null offset on only or order pivot pivot_longer pivot_wider placing primary qualify references returning select show some
  summarize symmetric table then to trailing true union unique unpivot using variadic when where window with`.split(/\s+/));

/** Returns a name as SQL has it: in quotes, unless it is a plain word. */
function quoted(name) {
  return /^[a-z_][a-z0-9_]*$/i.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}

export default {
  render({ model, el }) {
    const list = element("div", { class: "mediakit-sql-tables" });
    const root = element("div", { "data-lm-suppress-shortcuts": "true" }, list);
    const area = () => el.closest(".mediakit-field")?.querySelector("textarea");
    const insert = (text) => {
      const target = area();
      if (!target) return;
      const { selectionStart: start, selectionEnd: end, value } = target;
      const before = start && !/[\s(.,"]/.test(value[start - 1]) ? " " : "";
      target.focus();
      target.setRangeText(before + text, start, end, "end");
      target.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const inserting = (name, about, label) => {
      const made = button(name, label, () => insert(quoted(name)));
      made.append(" ", element("span", {}, about));
      return made;
    };
    const show = () => {
      const tables = model.get("tables");
      list.hidden = !tables.length;
      list.replaceChildren(...tables.map(({ name, rows, columns }) => element("div", { role: "group", "aria-label": `Table ${name}` },
        inserting(name, `${rows.toLocaleString("en")} rows`, `Insert table ${name}`),
        ...columns.map((column) => inserting(column.name, column.type.toLowerCase(), `Insert column ${column.name}`)),
      )));
    };
    const onKey = (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey) || event.target !== area()) return;
      // The notebook would run the cell, which replaces the form.
      event.preventDefault();
      event.stopPropagation();
      model.set("runs", model.get("runs") + 1);
      model.save_changes();
    };
    el.append(root);
    model.on("change:tables", show);
    const stop = listen(document, { keydown: onKey }, true);
    show();
    return () => {
      model.off("change:tables", show);
      stop();
    };
  },
};
