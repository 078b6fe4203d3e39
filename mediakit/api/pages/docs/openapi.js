/* Reads operations, their fields and their samples from the OpenAPI document. */

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "multipart/form-data";

const MAX_LINE_CHARACTERS = 100000;

/** Returns the operations with a page: the tools and the status. */
export function readOperations(document) {
  const spec = dereference(document, document);
  return Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([, operation]) => operation["x-docs"]).map(([method, operation]) => ({
      ...operation,
      path,
      command: path.slice(1),
      method: method.toUpperCase(),
      bodies: operation.requestBody?.content ?? {},
      fields: readFields(operation),
      samples: readSamples(operation),
      thumbnail: operation["x-docs"].thumbnail,
      keywords: operation["x-docs"].keywords ?? "",
      returnsData: operation["x-docs"].data,
      errors: Object.entries(operation.responses).filter(([status]) => status >= "400").map(([status, response]) => ({ status, ...response })),
    })));
}

/** Returns a part of the document with every reference replaced by its target; members beside a reference stay. */
function dereference(document, part) {
  if (Array.isArray(part)) return part.map((item) => dereference(document, item));
  if (part === null || typeof part !== "object") return part;
  const { $ref, ...members } = part;
  const target = typeof $ref === "string" && $ref.startsWith("#/") ? dereference(document, $ref.slice(2).split("/").reduce((node, step) => node[step], document)) : {};
  return { ...target, ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, dereference(document, member)])) };
}

/** Returns the operations of each tag that has any, in the order of the tags. */
export function groupByTag(spec, operations) {
  return spec.tags.map(({ name }) => ({ name, members: operations.filter((operation) => operation.tags.includes(name)) }))
    .filter(({ members }) => members.length);
}

/** Returns the samples as `summary` and `value`. Files are objects with `name` and `url`. */
function readSamples(operation) {
  const examples = operation.requestBody?.content[JSON_TYPE]?.examples ?? {};
  const listed = operation["x-docs"]?.samples ?? Object.keys(examples);
  return listed.map((sample) => (typeof sample === "string" ? examples[sample] : sample)).filter(Boolean);
}

function readFields(operation) {
  const schema = operation.requestBody?.content[JSON_TYPE]?.schema ?? {};
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name, part]) => name !== "output" || part.enum?.length !== 1)
    .map(([name, part]) => ({
      ...part, name, kind: kindOf(part), required: (schema.required ?? []).includes(name),
      ...(name === "output" && { default: "json" }), // this page sends JSON bodies
    }));
  const series = fields.find(({ kind }) => kind === "series");
  return series ? fields.map((field) => (field.name === "labels" && field.kind === "list" ? { ...field, kind: "labels" } : field)) : fields;
}

function kindOf(part) {
  if (part.enum) return "choice";
  if (part.format === "password") return "password";
  if (base64Schema(part)) return (part.anyOf ?? []).some(({ type }) => type === "array") ? "rows" : "file";
  if (part.type === "array" && base64Schema(part.items)) return "files";
  if (part.type === "array" && part.items?.properties?.data?.type === "array") return "series";
  if (part.format === "color") return "color";
  if (part.type === "string") return (part.maxLength ?? 0) > MAX_LINE_CHARACTERS ? "document" : "text";
  return { array: "list", boolean: "boolean", integer: "integer", number: "number", object: "object" }[part.type] ?? "any";
}

/** Returns the schema of base64 text: the schema itself, or one of its alternatives. */
export function base64Schema(part) {
  const alternatives = (part.anyOf ?? []).flatMap((each) => [each, ...(each.anyOf ?? [])]);
  return [part, ...alternatives].find((schema) => schema.contentEncoding === "base64");
}

export function mediaTypes(operation) {
  return Object.keys(operation.responses["200"].content).filter((type) => type !== JSON_TYPE);
}

/** Returns whether the result is data fields instead of a file. Some calls add a file to the fields. */
export function isData(operation) {
  const schema = operation.responses["200"].content[JSON_TYPE].schema;
  const envelope = schema.anyOf?.[0] ?? schema;
  return operation.returnsData || !Object.values(envelope.properties ?? {}).some((part) => part.contentEncoding === "base64");
}
