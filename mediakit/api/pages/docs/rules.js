/* What a field accepts, in words. */

import { serialize } from "./dom.js";
import { base64Schema } from "./openapi.js";

export function constraints(field) {
  const size = maxBytes(field) && `at most ${maxBytes(field) / 2 ** 20} MB`;
  const length = field.maxLength && `at most ${field.maxLength.toLocaleString("en")} characters`;
  const items = field.maxItems && `at most ${field.maxItems.toLocaleString("en")}`;
  const parts = {
    file: () => ["file", size],
    rows: () => ["JSON array of objects, or a table file", size],
    files: () => [field.maxItems ? `up to ${field.maxItems} files` : "files", size && `${size} each`],
    choice: () => [`one of ${field.enum.map((value) => (isPlainWord(value) ? value : `"${value}"`)).join(", ")}`],
    list: () => [`JSON array of ${itemKind(field.items)}`, items && `${items} items`],
    labels: () => ["list of texts", items],
    series: () => ["list of named numbers", items],
    object: () => ["JSON object"],
    any: () => [alternatives(field) || "any JSON"],
    document: () => ["text", length],
  }[field.kind]?.() ?? [field.kind, length];
  if (field.minimum !== undefined && field.maximum !== undefined) parts[0] += ` ${field.minimum}–${field.maximum}`;
  const rule = parts.filter(Boolean).join(", ");
  return field.default === undefined ? rule : `${rule}; default ${Array.isArray(field.default) ? JSON.stringify(field.default) : serialize(field.default)}`;
}

function alternatives(field) {
  return (field.anyOf ?? []).flatMap((part) => part.enum ?? `JSON ${part.type}`).join(", ").replace(/, ([^,]+)$/, " or $1");
}

function isPlainWord(text) {
  return /^[\w -]+$/.test(text);
}

/** Returns the size limit of the files of a field, in bytes of whole megabytes. */
export function maxBytes(field) {
  const length = base64Schema(field.items ?? field)?.maxLength;
  return length && Math.floor(length * 0.75 / 2 ** 20) * 2 ** 20;
}

/** Returns what the items of a list are, such as "strings" or "objects or arrays". */
export function itemKind(items = {}) {
  const types = [...new Set((items.anyOf ?? [items]).map((part) => part.type ?? (part.enum ? "string" : undefined)))];
  return types.includes(undefined) ? "values" : types.map((type) => `${type}s`).join(" or ");
}
