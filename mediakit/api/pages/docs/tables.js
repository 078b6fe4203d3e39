/* Values of a response as tables and lists. */

import { el, serialize } from "./dom.js";

const MAX_ROWS = 100;
const MAX_INLINE_CHARACTERS = 200;

export function isRecords(value) {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item && typeof item === "object" && !Array.isArray(item));
}

/** Returns a table of objects. Columns without any value are omitted; files are links. */
export function recordsTable(records, caption) {
  const names = [...new Set(records.flatMap(Object.keys))].filter((name) => records.some((record) => !isBlank(record[name])));
  const rows = records.slice(0, MAX_ROWS).map((record) => names.map((name) => (isFile(record, name) ? downloadLink(record) : record[name])));
  return table(names, rows, caption, records.length);
}

/** Returns a table of text cells whose first row is the header, such as a CSV file. */
export function cellsTable([names = [], ...rows], caption) {
  return table(names, rows.slice(0, MAX_ROWS), caption, rows.length);
}

function table(names, rows, caption, total) {
  const numeric = names.map((_, index) => rows.every((row) => isBlank(row[index]) || isNumber(row[index])));
  const note = total > rows.length ? el("p", { class: "note" }, `The first ${rows.length} of ${total.toLocaleString("en")} rows.`) : "";
  return el("div", {}, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, el("table", { class: "records" },
    el("thead", {}, el("tr", {}, ...names.map((name, index) => el("th", { scope: "col", class: numeric[index] && "number" }, name)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((value, index) => cell(value, numeric[index]))))))), note);
}

/** Returns whether a member of an object is the base64 of a file, beside its name and its media type. */
function isFile(record, member) {
  return member === "file" && typeof record.file === "string" && Boolean(record.mime_type && record.name);
}

function downloadLink({ name, file }) {
  const plainName = name.split("/").at(-1);
  return el("a", { href: `data:application/octet-stream;base64,${file}`, download: plainName, "aria-label": `Download ${plainName}` }, "Download");
}

function cell(value, isNumeric) {
  if (value instanceof Node) return el("td", {}, value);
  const text = isBlank(value) ? "" : serialize(value);
  return el("td", { class: isNumeric && "number", title: text.length > 40 && text }, text);
}

/** Returns whether a value is a number or its text. Text such as 007 is an identifier. */
function isNumber(value) {
  return typeof value === "number" || /^-?(0|[1-9]\d*)([.,]\d+)?$/.test(value ?? "");
}

function isBlank(value) {
  return value === null || value === undefined || value === "" || (typeof value === "object" && !Object.keys(value).length);
}

/** Returns the fields of a data result: tables for lists of objects, text blocks for long texts, and a list for the rest. */
export function fieldsView(body) {
  const entries = Object.entries(body).filter(([name, value]) => !["success", "meta"].includes(name) && !isBlank(value));
  const isBlock = ([, value]) => isRecords(value) || (typeof value === "string" && (value.length > MAX_INLINE_CHARACTERS || value.includes("\n")));
  const short = entries.filter((entry) => !isBlock(entry));
  return el("div", { class: "values" },
    short.length ? el("dl", {}, ...short.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, valueText(value))])) : "",
    ...entries.filter(isBlock).map(([name, value]) => el("section", {}, el("h3", {}, name, isRecords(value) ? el("small", {}, String(value.length)) : ""),
      isRecords(value) ? recordsTable(value, name) : el("pre", { tabindex: "0" }, value))));
}

function valueText(value) {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([name, part]) => `${name} ${valueText(part)}`).join(", ");
  if (typeof value === "number") return value.toLocaleString("en");
  return serialize(value);
}

/** Returns the rows of a file with separated values (RFC 4180). */
export function separatedRows(text, separator) {
  const pattern = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${separator}]*)(${separator}|\\r?\\n|$)`, "gy");
  const rows = [[]];
  for (const [match, value, end] of text.matchAll(pattern)) {
    rows.at(-1).push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (match === "" || end === "") break;
    if (end !== separator) rows.push([]);
    if (rows.length > MAX_ROWS + 2) break;
  }
  return rows.filter((row) => row.length > 1 || row[0] !== "");
}
