/* The first rows of a table, with a menu of types above each column. See columns.py. */

const NUMBERS = ["integer", "number"];

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class TypesTable {
  constructor(model, el) {
    this.model = model;
    this.all = element("select", { "aria-label": "Types of all columns" });
    this.all.append(new Option("detect the types of all columns", "auto"), new Option("keep every cell as text", "text"), new Option("types by column", "some"));
    this.all.addEventListener("change", () => this.save(this.all.value));
    this.scroll = element("div", { class: "mediakit-types-scroll", role: "region", tabindex: "0", "aria-label": model.get("label") });
    this.note = element("div", { class: "mediakit-help" });
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.all, this.scroll, this.note);
    el.append(this.root);
    this.update = () => this.show();
    model.on("change:value change:columns change:rows", this.update);
    this.show();
  }

  stop() {
    this.model.off("change:value change:columns change:rows", this.update);
  }

  get chosen() {
    const value = this.model.get("value");
    return typeof value === "string" ? {} : value;
  }

  show() {
    const columns = this.model.get("columns"), value = this.model.get("value");
    const focused = this.scroll.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const isSome = Object.keys(this.chosen).length > 0;
    this.all.hidden = this.scroll.hidden = !columns.length;
    this.all.value = isSome ? "some" : value === "text" ? "text" : "auto";
    this.all.querySelector("[value=some]").disabled = !isSome;
    const types = columns.map((column) => element("td", {}, this.menu(column)));
    const names = columns.map(({ name, type }) => element("th", NUMBERS.includes(type) ? { scope: "col", class: "mediakit-number" } : { scope: "col" }, name));
    const rows = this.model.get("rows").map((row) => element("tr", {}, ...row.map((text, place) => this.cell(text, columns[place].type))));
    const head = element("thead", {}, element("tr", {}, ...types), element("tr", {}, ...names));
    this.scroll.replaceChildren(element("table", {}, head, element("tbody", {}, ...rows)));
    const hidden = this.model.get("hidden_columns");
    this.note.textContent = !columns.length ? "The columns of the table are shown here." : hidden ? `and ${hidden} more columns` : "";
    if (focused) this.scroll.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  cell(text, type) {
    if (!text) return element("td", { class: "mediakit-null" }, "–");
    return element("td", NUMBERS.includes(type) ? { class: "mediakit-number" } : {}, text);
  }

  menu({ name, detected }) {
    const select = element("select", { "aria-label": `Type of ${name}` }), value = this.model.get("value");
    select.append(new Option(value === "text" ? "text" : detected, ""));
    for (const type of this.model.get("choices")) select.append(new Option(`as ${type}`, type));
    select.value = this.chosen[name] ?? "";
    select.classList.toggle("mediakit-chosen", Boolean(select.value));
    select.addEventListener("change", () => {
      const chosen = { ...this.chosen };
      if (select.value) chosen[name] = select.value;
      else delete chosen[name];
      this.save(Object.keys(chosen).length ? chosen : "auto");
    });
    return select;
  }

  save(value) {
    this.model.set("value", value);
    this.model.save_changes();
  }
}

export default {
  render({ model, el }) {
    const table = new TypesTable(model, el);
    return () => table.stop();
  },
};
