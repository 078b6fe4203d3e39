/* The footnotes of a table image: a text, a column and a row. See footnotes_editor.py. */

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class FootnotesEditor {
  constructor(model, el) {
    this.model = model;
    this.list = element("ol", { class: "mediakit-note-list", "aria-label": "Footnotes" });
    this.add = element("button", { type: "button" }, "Add a footnote");
    this.add.addEventListener("click", () => {
      this.save([...this.notes, { text: "" }]);
      this.show();
      this.list.querySelector("li:last-child input")?.focus();
    });
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.list, element("div", { class: "mediakit-note-foot" }, this.add));
    el.append(this.root);
    this.update = () => { if (JSON.stringify(this.model.get("value")) !== this.saved) this.show(); };
    this.updateNames = () => this.show();
    model.on("change:value", this.update);
    model.on("change:names", this.updateNames);
    this.show();
  }

  stop() {
    this.model.off("change:value", this.update);
    this.model.off("change:names", this.updateNames);
  }

  show() {
    this.notes = this.model.get("value").map((note) => ({ ...note }));
    this.list.replaceChildren(...this.notes.map((note, index) => this.row(note, index)));
    this.add.disabled = this.notes.length >= this.model.get("most");
  }

  row(note, index) {
    const text = element("input", { type: "text", placeholder: "Note below the table" });
    const column = element("select"), row = element("input", { type: "number", min: "1", placeholder: "header" });
    column.append(new Option("no mark", ""));
    const names = this.model.get("names");
    for (const name of note.column && !names.includes(note.column) ? [...names, note.column] : names) column.append(new Option(name, name));
    text.value = note.text ?? "";
    column.value = note.column ?? "";
    row.value = note.row ?? "";
    row.disabled = !column.value;
    const onChange = () => {
      note.text = text.value;
      if (column.value) note.column = column.value;
      else delete note.column;
      row.disabled = !column.value;
      if (row.disabled) row.value = "";
      if (row.value) note.row = Number(row.value);
      else delete note.row;
      this.save(this.notes);
    };
    for (const [control, event] of [[text, "input"], [column, "change"], [row, "input"]]) control.addEventListener(event, onChange);
    const remove = element("button", { type: "button", "aria-label": `Remove footnote ${index + 1}` }, "×");
    remove.addEventListener("click", () => {
      this.save(this.notes.filter((_, other) => other !== index));
      this.show();
      this.add.focus();
    });
    const labeled = (label, control) => {
      control.setAttribute("aria-label", `Footnote ${index + 1}: ${label}`);
      return element("label", { class: "mediakit-option" }, element("span", {}, label), control);
    };
    return element("li", {}, labeled("text", text), labeled("column", column), labeled("row", row), remove);
  }

  save(notes) {
    const value = notes.map((note) => ({ ...note }));
    this.notes = notes;
    this.saved = JSON.stringify(value);
    this.model.set("value", value);
    this.model.save_changes();
    this.add.disabled = value.length >= this.model.get("most");
  }
}

export default {
  render({ model, el }) {
    const editor = new FootnotesEditor(model, el);
    return () => editor.stop();
  },
};
