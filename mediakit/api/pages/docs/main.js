/* The documentation page of the HTTP API. It shows the OpenAPI document of its server, and sends calls to it. */

import { el } from "./dom.js";
import { takeKeyFromFragment } from "./key.js";
import { renderNavigation, startRouting } from "./navigation.js";
import { readOperations } from "./openapi.js";

const main = document.getElementById("main");

async function start() {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`openapi.json returned status ${response.status}.`);
  const spec = await response.json();
  document.getElementById("version").textContent = `API ${spec.info.version}`;
  const operations = readOperations(spec);
  renderNavigation(spec, operations);
  startRouting(spec, operations);
}

takeKeyFromFragment();
document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
start().catch((error) => main.replaceChildren(el("p", { class: "error", role: "alert" }, `The OpenAPI document could not be loaded. ${error.message}`)));
