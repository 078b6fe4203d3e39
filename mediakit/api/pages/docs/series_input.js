/* `labels` and `series` as one table: a row for each label, a column for each series. */

import { el, iconButton, ICONS } from "./dom.js";
import { enableSheet, focusCell } from "./sheet.js";

/** Returns the inputs of a field of series, and of the field of labels if there is one; both share a table. */
export function seriesInputs(series, labels) {
  const [name, ...options] = Object.entries(series.items.properties).filter(([name]) => name !== "data");
  const state = { labels: [""], columns: [{ data: [""] }], hasOptions: false };
  /** Returns the properties with a row above the values: the name, and the options once they are used. */
  const properties = () => (state.hasOptions ? [name, ...options] : [name]);
  const table = el("table", { class: "sheet", "aria-labelledby": [labels, series].filter(Boolean).map(({ name }) => `field-${name}-label`).join(" ") });
  const notify = () => table.dispatchEvent(new Event("input", { bubbles: true }));
  const height = () => Math.max(1, state.labels.length, ...state.columns.map(({ data }) => data.length));

  function update(focus) {
    render();
    notify();
    if (focus) focusCell(table, ...focus);
  }
  const cell = (label, value, write, options = {}) => el("input", { type: "text", "aria-label": label, value: value ?? "", spellcheck: "false",
    oninput: (event) => write(event.target.value), ...options });
  function headerCell([name, part], column, index) {
    const label = `${name} of series ${index + 1}`;
    const write = (value) => { column[name] = part.type === "array" ? parseList(value) : value; };
    if (!part.enum) return cell(label, asText(column[name]), write, { placeholder: index ? "" : part.type === "array" ? "[1, 2, 3]" : part.title });
    const choices = ["", ...part.enum].map((value) => el("option", { value, selected: value === (column[name] ?? "") }, value || "not set"));
    return el("select", { "aria-label": label, onchange: (event) => { write(event.target.value); notify(); } }, ...choices);
  }
  function headerRow(property, isFirst) {
    const caption = isFirst && labels ? labels.name : property[0];
    return el("tr", {}, el("th", { scope: "row" }, caption),
      ...state.columns.map((column, index) => el("th", { scope: "col" }, headerCell(property, column, index))),
      isFirst ? el("td", {}, iconButton("Add a series", ICONS.plus, addColumn)) : el("td", {}));
  }
  function bodyRow(row) {
    const label = labels ? cell(`label ${row + 1}`, state.labels[row], (value) => { state.labels[row] = value; }) : String(row + 1);
    return el("tr", {}, el("th", { scope: "row" }, label),
      ...state.columns.map((column, index) => el("td", {}, cell(`value ${row + 1} of series ${index + 1}`, column.data[row],
        (value) => { column.data[row] = value; }, { inputmode: "decimal" }))),
      el("td", {}, iconButton(`Remove row ${row + 1}`, ICONS.remove, () => removeRow(row), { disabled: height() === 1 })));
  }
  function footerRow() {
    const more = options.length && !state.hasOptions ? el("button", { type: "button", class: "add", onclick: showOptions }, "Options of series") : "";
    return el("tr", {}, el("td", {}, el("button", { type: "button", class: "add", onclick: addRow }, "Add row"), more),
      ...state.columns.map((_, index) => el("td", {}, iconButton(`Remove series ${index + 1}`, ICONS.remove, () => removeColumn(index), { disabled: state.columns.length === 1 }))),
      el("td", {}));
  }
  function render() {
    state.columns.forEach((column) => { column.data = Array.from({ length: height() }, (_, row) => column.data[row] ?? ""); });
    table.replaceChildren(
      el("thead", {}, ...properties().map((property, index) => headerRow(property, index === 0))),
      el("tbody", {}, ...Array.from({ length: height() }, (_, row) => bodyRow(row))),
      el("tfoot", {}, footerRow()));
  }
  function showOptions() {
    state.hasOptions = true;
    update([1, 1]);
  }
  function addRow() {
    state.labels = Array.from({ length: height() + 1 }, (_, row) => state.labels[row] ?? "");
    update([properties().length + height() - 1, 0]);
  }
  function addColumn() {
    state.columns.push({ data: [] });
    update([0, state.columns.length]);
  }
  function removeRow(row) {
    state.labels.splice(row, 1);
    state.columns.forEach(({ data }) => data.splice(row, 1));
    update([properties().length + Math.min(row, height() - 1), 1]);
  }
  function removeColumn(index) {
    state.columns.splice(index, 1);
    update([0, Math.min(index + 1, state.columns.length)]);
  }
  /** Writes a block of cells, as copied from a spreadsheet, and adds the rows and series that are missing. */
  function paste(lines, top, left) {
    lines.forEach((line, down) => line.forEach((text, right) => writeCell(top + down - properties().length, left + right - 1, text.trim())));
    update();
  }
  function writeCell(row, index, text) {
    if (index >= 0) state.columns[index] ??= { data: [] };
    if (index < 0 && row >= 0) state.labels[row] = text;
    else if (index >= 0 && row < 0) state.columns[index][properties()[properties().length + row][0]] = text;
    else if (index >= 0) state.columns[index].data[row] = text;
  }

  enableSheet(table, paste);
  render();
  const readLabels = () => withoutBlankEnd(Array.from({ length: height() }, (_, row) => state.labels[row] ?? ""));
  const rows = () => Math.max(readLabels().length, ...state.columns.map(({ data }) => withoutBlankEnd(data).length));
  const readSeries = () => state.columns.map(({ data, ...others }) => ({
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== "")), data: data.slice(0, rows()).map(asNumber) }));
  const control = table;
  return [
    { name: series.name, node: table, control, read: () => (rows() ? readSeries() : undefined),
      write: (value) => {
        state.columns = (value ?? [{ data: [] }]).map((item) => ({ ...item, data: (item.data ?? []).map(asText) }));
        state.hasOptions = options.some(([option]) => state.columns.some((column) => option in column));
        render();
      } },
    ...(labels ? [{ name: labels.name, node: table, control, read: () => (readLabels().length ? readLabels() : undefined),
      write: (value) => { state.labels = (value ?? [""]).map(asText); state.columns.forEach((column) => { column.data.length = 0; }); render(); } }] : []),
  ];
}

function asText(value) {
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a cell as a number, null if it is empty, and text otherwise, so that the API returns the error message. */
function asNumber(text) {
  if (text.trim() === "") return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** Returns text as a JSON list, and other text unchanged, so that the API returns the error message. */
function parseList(text) {
  try { return JSON.parse(text); } catch { return text; }
}

function withoutBlankEnd(cells) {
  const last = cells.findLastIndex((text) => text !== "");
  return cells.slice(0, last + 1);
}
