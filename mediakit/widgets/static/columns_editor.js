/* The columns of a table image: a row for each one, which opens to show its options. See columns.py. */

const FORMATS = [
  [",d", "1,235"], [",.2f", "1,234.50"], ["$,.2f", "$1,234.50"], [".0%", "12%"], [".1%", "12.3%"], [".3s", "1.23k"],
  ["+,.1f", "+1.5"], ["{,.1f} kg", "1.5 kg"],
];
const TEXTS = {
  label: ["title", "text", "The name"], unit: ["unit", "text", "such as km, below the title"],
  number_format: ["number format", "text", "such as ,.1f"], prefix: ["prefix", "text", "such as €"],
  suffix: ["suffix", "text", "such as %"], spanner: ["title above neighbors", "text", ""],
  width_pct: ["width in percent", "number", "auto"],
};
const FLAGS = { bar: "bars", sparkline: "sparkline", bold: "bold" };
const ALIGNMENTS = ["auto", "left", "center", "right"];
const SCALE = ["#eff6ff", "#3b82f6"];
let editors = 0;

function labeled(text, control, name) {
  control.setAttribute("aria-label", `${name}: ${text}`);
  return element("label", { class: "mediakit-option" }, element("span", {}, text), control);
}

class ColumnsEditor extends View {
  constructor(model, el) {
    super(model, el);
    this.open = new Set();
    this.list = element("ol", { class: "mediakit-column-list", "aria-label": "Columns" });
    this.empty = element("div", { class: "mediakit-help" }, "The columns of the table are shown here.");
    this.formats = element("datalist", { id: `mediakit-formats-${++editors}` });
    for (const [format, example] of FORMATS) this.formats.append(element("option", { value: format }, example));
    this.reset = button("Show all columns as they are", "Show all columns as they are", () => this.saveColumns([]));
    this.root.append(this.list, this.empty, this.formats, element("div", {}, this.reset));
    this.observe({ "value names types": () => this.show() });
  }

  /** Returns the columns that are shown, in order, and then the others. */
  rows() {
    const value = this.model.get("value"), names = this.model.get("names");
    if (!value.length) return names.map((name) => ({ shown: true, options: { name } }));
    const chosen = new Set(value.map(({ name }) => name));
    return [
      ...value.map((options) => ({ shown: true, options: { ...options } })),
      ...names.filter((name) => !chosen.has(name)).map((name) => ({ shown: false, options: { name } })),
    ];
  }

  show() {
    if (JSON.stringify([this.model.get("value"), this.model.get("names")]) === this.saved) return;
    this.current = this.rows();
    this.replace(this.list, this.current.map((row, index) => this.row(row, index)));
    this.empty.hidden = this.current.length > 0;
    this.reset.hidden = !this.model.get("value").length;
    this.saved = undefined;
  }

  row(row, index) {
    const { name } = row.options, type = this.model.get("types")[name] ?? "";
    const check = element("input", { type: "checkbox", "aria-label": `Show ${name}` });
    check.checked = row.shown;
    check.addEventListener("change", () => {
      row.shown = check.checked;
      this.commit();
      this.refresh();
    });
    const summary = element("summary", {}, element("strong", {}, name), " ", element("span", { class: "mediakit-type" }, type));
    row.note = element("span", { class: "mediakit-column-note" });
    summary.append(" ", row.note);
    const details = element("details", {}, summary);
    details.open = this.open.has(name);
    details.addEventListener("toggle", () => this.open[details.open ? "add" : "delete"](name));
    details.append(this.options(row, name));
    const up = button("↑", `Move ${name} up`, () => this.move(index, -1)), down = button("↓", `Move ${name} down`, () => this.move(index, 1));
    up.disabled = index === 0 || !row.shown;
    down.disabled = !row.shown || !this.current[index + 1]?.shown;
    this.describe(row);
    return element("li", row.shown ? {} : { class: "mediakit-column-off" }, check, details, up, down);
  }

  options(row, name) {
    const box = element("div", { class: "mediakit-options" });
    for (const [option, [text, type, hint]] of Object.entries(TEXTS)) {
      const input = element("input", { type, placeholder: option === "label" ? name : hint });
      if (option === "number_format") input.setAttribute("list", this.formats.id);
      if (type === "number") Object.assign(input, { min: 1, max: 100 });
      input.value = row.options[option] ?? "";
      input.addEventListener("input", () => this.set(row, option, type === "number" && input.value ? Number(input.value) : input.value));
      box.append(labeled(text, input, name));
    }
    const align = element("select");
    for (const side of ALIGNMENTS) align.append(new Option(side, side));
    align.value = row.options.align ?? "auto";
    align.addEventListener("change", () => this.set(row, "align", align.value === "auto" ? "" : align.value));
    box.append(labeled("alignment", align, name));
    const flags = element("div", { class: "mediakit-flags" });
    for (const [option, text] of Object.entries(FLAGS)) flags.append(this.flag(row, option, text, name));
    box.append(flags, this.scale(row, name));
    return box;
  }

  flag(row, option, text, name) {
    const check = element("input", { type: "checkbox" });
    check.checked = Boolean(row.options[option]);
    check.addEventListener("change", () => this.set(row, option, check.checked));
    check.setAttribute("aria-label", `${name}: ${text}`);
    return element("label", {}, check, text);
  }

  /** The colors of the lowest and the highest number, which are shown if the column has a color scale. */
  scale(row, name) {
    const check = element("input", { type: "checkbox", "aria-label": `${name}: color scale` });
    const colors = ["lowest", "highest"].map((which, place) => {
      const input = element("input", { type: "color", "aria-label": `${name}: color of the ${which} number` });
      input.value = row.options.color_scale?.[place] ?? SCALE[place];
      input.addEventListener("input", () => this.set(row, "color_scale", colors.map(({ value }) => value)));
      return input;
    });
    const box = element("span", { class: "mediakit-scale-colors" }, colors[0], "to", colors[1]);
    check.checked = Boolean(row.options.color_scale);
    box.hidden = !check.checked;
    check.addEventListener("change", () => {
      box.hidden = !check.checked;
      this.set(row, "color_scale", check.checked ? colors.map(({ value }) => value) : "");
    });
    return element("div", { class: "mediakit-flags" }, element("label", {}, check, "color scale"), box);
  }

  set(row, option, value) {
    if (value === "" || value === false) delete row.options[option];
    else row.options[option] = value;
    row.shown = true;
    this.describe(row);
    this.commit();
  }

  /** Says beside the name which options a column has. */
  describe({ options, note }) {
    const { label, unit, number_format: format } = options;
    const drawn = [...Object.keys(FLAGS).filter((option) => options[option]).map((option) => FLAGS[option]), options.color_scale && "color scale"];
    note.textContent = [label && `“${label}”`, unit, format, ...drawn].filter(Boolean).join(" · ");
  }

  move(index, step) {
    const rows = this.current, [row] = rows.splice(index, 1);
    rows.splice(index + step, 0, row);
    this.commit();
    this.refresh();
    const name = CSS.escape(row.options.name), [first, second] = step < 0 ? ["up", "down"] : ["down", "up"];
    const find = (way) => this.list.querySelector(`[aria-label="Move ${name} ${way}"]:not(:disabled)`);
    (find(first) ?? find(second))?.focus({ preventScroll: true });
  }

  /** Draws the rows again after their order has changed. */
  refresh() {
    this.saved = undefined;
    this.show();
  }

  commit() {
    const shown = this.current.filter((row) => row.shown).map(({ options }) => options);
    const names = this.model.get("names");
    const isPlain = shown.every((options) => Object.keys(options).length === 1);
    const isAll = shown.length === names.length && shown.every(({ name }, place) => name === names[place]);
    this.saveColumns(isPlain && isAll ? [] : shown.map((options) => ({ ...options })));
  }

  saveColumns(value) {
    if (value.length) this.saved = JSON.stringify([value, this.model.get("names")]);
    this.save({ value });
    this.reset.hidden = !value.length;
  }
}

export default viewOf((model, el) => new ColumnsEditor(model, el));
