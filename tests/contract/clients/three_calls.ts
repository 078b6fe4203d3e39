/* Three calls with a client of openapi-fetch and the types of openapi-typescript: JSON, a form with a file, and no body. */

import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const api = createClient<paths>({
  baseUrl: process.env.MEDIAKIT_URL,
  headers: { "x-api-key": process.env.MEDIAKIT_API_KEY },
});

function check(condition: boolean, found: unknown): asserts condition {
  if (!condition) throw new Error(JSON.stringify(found).slice(0, 500));
}

const code = await api.POST("/qr", { body: { data: "https://example.com", size: 200 } });
check(typeof code.data === "object" && "image" in code.data, code.error);
check(Buffer.from(code.data.image, "base64").subarray(1, 4).toString() === "PNG", code.data.mime_type);
check(code.data.meta.version === 2, code.data.meta);

const photo = new Blob([readFileSync(process.argv[2])]);
const small = await api.POST("/images", {
  body: { file: photo as unknown as string, width: 80, format: "webp", output: "json" },
  bodySerializer(body) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value instanceof Blob ? value : String(value));
    return form;
  },
});
check(typeof small.data === "object" && "image" in small.data, small.error);
check(small.data.meta.width === 80 && small.data.mime_type === "image/webp", small.data.meta);

const usage = await api.GET("/status");
check(usage.data !== undefined && usage.data.used === code.data.meta.used + 1, usage.error);

const rejected = await api.POST("/qr", { body: { data: "x", size: 9 } });
check(rejected.response.status === 400 && rejected.error !== undefined, rejected.data);
console.log(rejected.error.error);
