/* The first rows of a table, with a menu of types above each column. See columns.py. */

const NUMBERS = ["integer", "number"];

class TypesTable extends View {
  constructor(model, el) {
    super(model, el);
    this.all = element("select", { "aria-label": "Types of all columns" });
    this.all.append(new Option("detect the types of all columns", "auto"), new Option("keep every cell as text", "text"), new Option("types by column", "some"));
    this.all.addEventListener("change", () => this.save({ value: this.all.value }));
    this.scroll = element("div", { class: "mediakit-types-scroll", role: "region", tabindex: "0", "aria-label": model.get("label") });
    this.note = element("div", { class: "mediakit-help" });
    this.root.append(this.all, this.scroll, this.note);
    this.observe({ "value columns rows": () => this.show() });
  }

  get chosen() {
    const value = this.model.get("value");
    return typeof value === "string" ? {} : value;
  }

  show() {
    const columns = this.model.get("columns"), value = this.model.get("value");
    const isSome = Object.keys(this.chosen).length > 0;
    this.all.hidden = this.scroll.hidden = !columns.length;
    this.all.value = isSome ? "some" : value === "text" ? "text" : "auto";
    this.all.querySelector("[value=some]").disabled = !isSome;
    const types = columns.map((column) => element("td", {}, this.menu(column)));
    const names = columns.map(({ name, type }) => element("th", NUMBERS.includes(type) ? { scope: "col", class: "mediakit-number" } : { scope: "col" }, name));
    const rows = this.model.get("rows").map((row) => element("tr", {}, ...row.map((text, place) => this.cell(text, columns[place].type))));
    const head = element("thead", {}, element("tr", {}, ...types), element("tr", {}, ...names));
    this.replace(this.scroll, [element("table", {}, head, element("tbody", {}, ...rows))]);
    const hidden = this.model.get("hidden_columns");
    this.note.textContent = !columns.length ? "The columns of the table are shown here." : hidden ? `and ${hidden} more columns` : "";
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
      this.save({ value: Object.keys(chosen).length ? chosen : "auto" });
    });
    return select;
  }

}

export default viewOf((model, el) => new TypesTable(model, el));
