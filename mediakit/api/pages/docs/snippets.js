/* A call as curl, Python and JavaScript. The key is a variable of the environment. */

import { serialize } from "./dom.js";
import { isData, JSON_TYPE, mediaTypes } from "./openapi.js";
import { BASE, hasFile } from "./request.js";

/** The path of a port behind a notebook's proxy, which needs the login of the browser; other programs reach the port itself. */
const PORT = /\/proxy\/(?:absolute\/)?(\d+)$/.exec(BASE)?.[1];
const ADDRESS = PORT ? `http://127.0.0.1:${PORT}` : BASE;
const WHERE = PORT && "Run this where the notebook runs, such as in a terminal of JupyterLab.";

const FILE_OUTPUTS = ["binary", "image", "pdf"];
/** Extensions of media types and of `format` values whose subtype is not the extension. */
const EXTENSIONS = {
  jpeg: "jpg", "svg+xml": "svg", markdown: "md", plain: "txt", text: "txt", "x-ndjson": "jsonl", "tab-separated-values": "tsv",
  "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx", "vnd.apache.parquet": "parquet",
};

export const SNIPPETS = { curl, Python: python, JavaScript: javascript };

/** Returns the extension for a media type, or for a value of `format` or `to`. */
export function extension(type) {
  const name = type.split(";")[0].split("/").pop();
  return EXTENSIONS[name] ?? name;
}

function filename(operation, values) {
  const option = operation.fields.find(({ name }) => name === "format" || name === "to");
  const inputType = Object.values(values).flat().find((value) => value instanceof File)?.type;
  const types = [...mediaTypes(operation), JSON_TYPE];
  const format = option?.default ?? (types.includes(inputType) ? inputType : types[0]);
  const type = types.find((type) => extension(type) === extension(values[option?.name] ?? format)) ?? types[0];
  return `${operation.command}.${extension(type)}`;
}

/** Returns the values with placeholders for required files that are not selected. */
export function withPlaceholders(operation, values) {
  const types = Object.keys(operation.bodies).join();
  const image = () => new File([], "image.png", { type: "image/png" });
  const document = (name) => new File([], name, { type: "application/pdf" });
  const placeholders = { file: () => (types.includes("image/") ? image() : document("document.pdf")), files: () => [document("a.pdf"), document("b.pdf")] };
  const missing = operation.fields.filter((field) => field.required && placeholders[field.kind] && !values[field.name]);
  return { ...values, ...Object.fromEntries(missing.map((field) => [field.name, placeholders[field.kind]()])) };
}

/** Returns whether the response of a call is the file itself. Snippets request the file if `output` is not set. */
function returnsFile(operation, values) {
  return operation.method === "POST" && (values.output === undefined ? !isData(operation) : FILE_OUTPUTS.includes(values.output));
}

function jsonBody(operation, values) {
  return returnsFile(operation, values) ? { ...values, output: values.output ?? "binary" } : values;
}

/** Returns the parts of a form as name and value: lists are repeated; objects, and lists with objects, are JSON text. */
function formParts(values) {
  const hasObjects = (value) => Array.isArray(value) && value.some((item) => typeof item === "object" && !(item instanceof File));
  return Object.entries(values).flatMap(([name, value]) => (hasObjects(value) ? [value] : [value].flat()).map((item) => [name, item instanceof File ? item : serialize(item)]));
}

function curl(operation, values) {
  const lines = [`${WHERE ? `# ${WHERE}\n` : ""}curl ${ADDRESS}${operation.path}`, '-H "x-api-key: $MEDIAKIT_API_KEY"'];
  if (operation.method === "GET") return lines.join(" \\\n  ");
  if (hasFile(values)) lines.push(...formParts(values).map(curlPart));
  else lines.push("-H 'Content-Type: application/json'", `-d ${shellQuote(JSON.stringify(jsonBody(operation, values)))}`);
  if (returnsFile(operation, values)) lines.push(`-o ${filename(operation, values)}`);
  return lines.join(" \\\n  ");
}

function shellQuote(text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curlPart([name, value]) {
  return value instanceof File ? `-F ${shellQuote(`${name}=@${curlName(value.name)}`)}` : `--form-string ${shellQuote(`${name}=${value}`)}`;
}

/** Returns a file name for `-F`, quoted if it has characters that separate its options. */
function curlName(name) {
  return /[;,"\\]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
}

function python(operation, values) {
  const client = `from mediakit import Client\n\n${WHERE ? `# ${WHERE}\n` : ""}# Reads the key from the variable MEDIAKIT_API_KEY.\nclient = Client("${ADDRESS}")\n`;
  if (operation.method === "GET") return `${client}print(client.${operation.operationId}())`;
  const { output, ...options } = values;
  const lines = Object.entries(options).map(([name, value]) => `${name}=${pythonLiteral(value)}`);
  const call = lines.join(", ").length > 60 ? `\n    ${lines.join(",\n    ")},\n` : lines.join(", ");
  const path = hasFile(options) ? "from pathlib import Path\n" : "";
  const last = isData(operation) ? "print(result)" : `result.save("${filename(operation, options)}")`;
  return `${path}${client}result = client.${operation.operationId}(${call})\n${last}`;
}

function pythonLiteral(value) {
  if (value instanceof File) return `Path(${pythonLiteral(value.name)})`;
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (value === null) return "None";
  if (typeof value === "object") return `{${Object.entries(value).map(([key, item]) => `${pythonLiteral(key)}: ${pythonLiteral(item)}`).join(", ")}}`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string" && value.includes("\n") && !/"""|\\|\r|"$/.test(value)) return `"""${value}"""`;
  return JSON.stringify(value);
}

/** Returns a program for Node.js 20 or later. */
function javascript(operation, values) {
  const isForm = hasFile(values);
  const isFile = returnsFile(operation, values);
  const isGet = operation.method === "GET";
  const imports = [isForm && 'import { openAsBlob } from "node:fs";', isFile && 'import { writeFile } from "node:fs/promises";'].filter(Boolean);
  const type = isGet || isForm ? "" : `, "content-type": "${JSON_TYPE}"`;
  const json = () => `JSON.stringify(${JSON.stringify(jsonBody(operation, values), null, 2).replaceAll("\n", "\n  ")})`;
  const request = [`method: "${operation.method}",`, `headers: { "x-api-key": process.env.MEDIAKIT_API_KEY${type} },`,
    ...(isGet ? [] : [isForm ? "body: form," : `body: ${json()},`])];
  return [
    ...(imports.length ? [...imports, ""] : []),
    ...(isForm ? javascriptForm(values) : []),
    ...(WHERE ? [`// ${WHERE}`] : []),
    `const response = await fetch("${ADDRESS}${operation.path}", {`, ...request.map((line) => `  ${line}`), "});",
    "if (!response.ok) throw new Error((await response.json()).error);",
    isFile ? `await writeFile("${filename(operation, values)}", Buffer.from(await response.arrayBuffer()));` : "console.log(await response.json());",
  ].join("\n");
}

function javascriptForm(values) {
  const appended = (item) => (item instanceof File ? `await openAsBlob(${JSON.stringify(item.name)}), ${JSON.stringify(item.name)}` : JSON.stringify(item));
  return ["const form = new FormData();", ...formParts(values).map(([name, item]) => `form.append(${JSON.stringify(name)}, ${appended(item)});`)];
}
