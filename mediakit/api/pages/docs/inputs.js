/* Inputs by kind of field: an element, `read()` (undefined: omitted) and `write(value)`. */

import { el, serialize } from "./dom.js";
import { fileInput } from "./file_input.js";
import { itemKind } from "./rules.js";

const TABLE_SUFFIXES = ".csv,.tsv,.xlsx,.xls,.ods,.parquet,.json,.jsonl";
const MAX_SHORT_TEXT = 255;

export const INPUTS = {
  choice(field, attributes) {
    const blank = field.required ? [] : [el("option", { value: "" }, field.default === undefined ? "not set" : `${field.default} (default)`)];
    const options = field.enum.filter((value) => value !== field.default).map((value) => el("option", { value }, value));
    return simple(el("select", attributes, ...blank, ...options));
  },
  boolean(field, attributes) {
    const initial = field.default === true;
    const box = el("input", { ...attributes, type: "checkbox", checked: initial });
    return {
      node: el("div", { class: "tick" }, box),
      control: box,
      read: () => (box.checked === initial ? undefined : box.checked),
      write: (value) => { box.checked = value ?? initial; },
    };
  },
  color(field, attributes) {
    const text = el("input", { ...attributes, type: "text", placeholder: field.default, spellcheck: "false" });
    const fallback = field.default ?? "#000000";
    const picker = el("input", { type: "color", value: fallback, "aria-label": `${field.name}: choose a color`,
      oninput: () => { text.value = picker.value; text.dispatchEvent(new Event("input", { bubbles: true })); } });
    const updatePicker = () => { picker.value = /^#?[0-9a-f]{6}$/i.test(text.value) ? `#${text.value.replace("#", "")}` : fallback; };
    text.addEventListener("input", updatePicker);
    const input = simple(text);
    return { ...input, node: el("div", { class: "color" }, picker, text), write: (value) => { input.write(value); updatePicker(); } };
  },
  file: (field, attributes, accept) => fileInput(attributes, accept, false),
  files: (field, attributes, accept) => fileInput(attributes, accept, true),
  rows(field, attributes) {
    const text = json({ ...attributes, id: `${attributes.id}-json`, "aria-label": `${field.name} as JSON` }, '[{"name": "Ana"}, {"name": "Bo"}]');
    const file = fileInput(attributes, TABLE_SUFFIXES, false);
    const read = () => file.read() ?? text.read();
    const update = () => { text.node.hidden = Boolean(file.read()); };
    const write = (value) => {
      const isFile = value !== undefined && !Array.isArray(value);
      text.write(isFile ? undefined : value);
      file.write(isFile ? value : undefined);
      text.node.hidden = isFile;
    };
    return { ...file, node: el("div", { oninput: update }, text.node, file.node), read, write };
  },
  password: (field, attributes) => simple(el("input", { ...attributes, type: "password", autocomplete: "new-password" })),
  integer: number,
  number,
  list: (field, attributes) => json(attributes, itemKind(field.items).startsWith("object") ? '[{"name": "Ana"}]' : '["first", "second"]'),
  object: (field, attributes) => json(attributes, '{"title": "Hello"}'),
  any: (field, attributes) => json(attributes, serialize(field.default ?? "")),
  document: (field, attributes) => simple(el("textarea", { ...attributes, class: "code page", spellcheck: "false" })),
  text(field, attributes) {
    const options = { ...attributes, placeholder: field.default };
    return simple(isLongText(field) && field.format !== "uri" ? el("textarea", { ...options, rows: 2 }) : el("input", { ...options, type: "text" }));
  },
};

/** Returns whether a field needs the full width of the form. */
export function isWide(field) {
  return ["document", "file", "files", "rows", "list", "object"].includes(field.kind) || (field.kind === "text" && isLongText(field));
}

function isLongText(field) {
  return (field.maxLength ?? 0) > MAX_SHORT_TEXT;
}

function simple(control, parse = (text) => text) {
  const read = () => (control.value === "" ? undefined : parse(control.value));
  return { node: control, control, read, write: (value) => { control.value = value ?? ""; } };
}

/* Invalid numbers and JSON are sent unchanged, so that the API returns the error message. */
function number(field, attributes) {
  const read = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text));
  return simple(el("input", { ...attributes, type: "text", inputmode: "decimal", placeholder: field.default }), read);
}

function json(attributes, placeholder) {
  const read = (text) => { try { return JSON.parse(text); } catch { return text; } };
  const input = simple(el("textarea", { ...attributes, placeholder, class: "code", spellcheck: "false" }), read);
  return { ...input, write: (value) => { input.control.value = value === undefined ? "" : JSON.stringify(value, null, 2); } };
}
