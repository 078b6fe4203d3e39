/* Sends a call as JSON, and reads its response. */

import { readKey } from "./key.js";
import { JSON_TYPE } from "./openapi.js";

/** The address of the server, which can be below a path of a proxy. */
export const BASE = new URL(".", location.href).href.replace(/\/$/, "");

export async function send(operation, values) {
  const body = {};
  for (const [name, value] of Object.entries(values)) body[name] = hasFile({ value }) ? await encode(value) : value;
  const isPost = operation.method === "POST";
  const response = await fetch(operation.path.slice(1), {
    method: operation.method,
    headers: { "x-api-key": readKey(), ...(isPost ? { "content-type": JSON_TYPE } : {}) },
    body: isPost ? JSON.stringify(body) : undefined,
  });
  const { ok, status, headers } = response;
  const disposition = headers.get("content-disposition");
  if (!disposition) return { ok, status, body: await response.json() };
  const file = await response.blob();
  return { ok, status, file, filename: dispositionName(disposition), body: { meta: JSON.parse(headers.get("x-mediakit-meta") ?? "{}") } };
}

export function hasFile(values) {
  return Object.values(values).flat().some((value) => value instanceof File);
}

async function encode(value) {
  return Array.isArray(value) ? Promise.all(value.map(encode)) : { name: value.name, file: await base64(value) };
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const chunks = [];
  for (let start = 0; start < bytes.length; start += 32768) chunks.push(String.fromCharCode(...bytes.subarray(start, start + 32768)));
  return btoa(chunks.join(""));
}

/** Returns the file name of a Content-Disposition header (RFC 6266). */
function dispositionName(header) {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]*)"/.exec(header)?.[1];
}

/** Returns the file of a response: its body, its decoded base64 field, or the file of its link; undefined for data. */
export async function fileOf({ file, body }) {
  if (file) return file;
  if (body.expires_at) return fileOfLink(body.url);
  const content = body.mime_type && (body.image ?? body.pdf ?? body.file);
  return content && new Blob([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], { type: body.mime_type });
}

/** Returns the file of a link; undefined if the page may not load it, for example from another address. */
async function fileOfLink(url) {
  try {
    const response = await fetch(url);
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}
