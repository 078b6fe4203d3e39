/* Previews of the file of a response. */

import { el, formatBytes } from "./dom.js";
import { cellsTable, isRecords, recordsTable, separatedRows } from "./tables.js";
import { zipEntries } from "./zip.js";

const MAX_CHARACTERS = 20000;
const ZIP = "application/zip";
const PDF = "application/pdf";
const SEPARATORS = { "text/csv": ",", "text/tab-separated-values": "\t" };

export function message(...content) {
  return el("div", { class: "stage bare" }, el("p", {}, ...content));
}

function isText(type) {
  return /^text\/|[/+](json|x-ndjson|yaml|toml|sql|xml)\b/.test(type) && !type.startsWith("image/");
}

/** Returns the views of a file by name; the first one is shown. */
export async function fileViews(file, type, href) {
  if (type.startsWith("image/")) return { Image: imageView(href) };
  if (type === PDF) return { PDF: pdfView(href) };
  if (type === ZIP && file) return { Files: zipView(await zipEntries(file)) };
  if (!file || !isText(type)) return { File: message(`A file of type ${type}.`) };
  const text = await file.text();
  const table = tableOf(text, type);
  return { ...(table && { Table: table }), Text: textView(text) };
}

export function imageView(href) {
  return el("div", { class: "stage" }, el("img", { src: href, alt: "The resulting image" }));
}

/** Returns the pages in the browser's PDF viewer. Phones have none. */
function pdfView(href) {
  const link = el("a", { class: "open", href, target: "_blank", rel: "noreferrer" }, "Open the PDF");
  if (!navigator.pdfViewerEnabled) return message(link, " in a new tab.");
  return el("div", { class: "document" }, el("iframe", { src: `${href}#toolbar=0&navpanes=0&view=FitH`, title: "Pages of the PDF" }), el("p", {}, link, " in a new tab."));
}

function zipView(entries) {
  if (!entries.length) return message("An empty ZIP file.");
  return el("ol", { class: "entries", "aria-label": "Files of the ZIP file" }, ...entries.map(({ name, size }) =>
    el("li", {}, el("span", { class: "file-name" }, name), el("span", { class: "file-size" }, formatBytes(size)))));
}

export function textView(text) {
  return el("pre", { tabindex: "0" }, text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…\n\nThe download has the rest.` : text);
}

/** Returns JSON records and separated values as a table; undefined for other texts. */
function tableOf(text, type) {
  if (SEPARATORS[type]) return cellsTable(separatedRows(text, SEPARATORS[type]), "Table");
  if (!type.endsWith("json")) return undefined;
  try {
    const value = JSON.parse(text);
    return isRecords(value) ? recordsTable(value, "Table") : undefined;
  } catch {
    return undefined;
  }
}
