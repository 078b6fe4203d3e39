// What stands in the page now, for reading: run in a world of its own, where the page's scripts change nothing.
// The page stays as it is. What readers see as one is written as one: shadow trees in their hosts, with what fills their slots,
// and frames of the page's own origin in their places.
(most) => {
  const EMPTY = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
  const LEFT_OUT = new Set(["style", "object", "embed", "svg", "canvas", "video", "audio"]);
  const RAW = new Set(["script", "noscript", "xmp", "plaintext", "noembed", "noframes"]);
  const NEVER_SHOWN = new Set(["head", "title", "meta", "link", "base", "script", "noscript", "template", "source", "body"]);
  const MATHEMATICS = "http://www.w3.org/1998/Math/MathML";
  const DEEPEST = 1500;
  const STYLED = 50000;
  const LONGEST_DATA = 2000;

  const roots = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      else if (own(element)) roots.push(own(element));
    }
    if (roots.length > 2000) break;
  }

  function own(element) {
    if (element.localName !== "iframe" && element.localName !== "frame") return null;
    try {
      return element.contentDocument?.body && element.checkVisibility?.() !== false ? element.contentDocument : null;
    } catch {
      return null;
    }
  }

  const rendered = (element) => !element.checkVisibility || element.checkVisibility({ visibilityProperty: true });
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const visible = (selector) => all(selector).filter(rendered);
  const shown = (root) => (root.body ? root.body.innerText : [...root.children].map((child) => (child.localName === "style" ? "" : child.innerText ?? "")).join("\n")).trim();
  const text = roots.map(shown).filter(Boolean).join("\n");
  const answer = {
    type: document.contentType,
    url: location.href,
    title: document.title.slice(0, 300),
    text: text.slice(0, 3000),
    length: text.length,
    passwords: visible("input[type=password]").length,
    buttons: visible("button, [role=button], input[type=submit], input[type=button]").slice(0, 20).map((button) => (button.innerText || button.value || "").trim().slice(0, 60)),
    captchas: all("iframe[src*=captcha], iframe[src*='challenges.cloudflare'], .g-recaptcha, .h-captcha, .cf-turnstile, #challenge-form, #px-captcha, #cf-challenge-running").length,
    html: "",
    size: 0,
  };
  if (!document.body) return answer;

  const pieces = [];
  let styled = 0;
  const put = (piece) => {
    answer.size += piece.length;
    if (answer.size <= most) pieces.push(piece);
  };
  const escaped = (words) => words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");

  const full = (element, address) => {
    try {
      return new URL(address, element.baseURI).href;
    } catch {
      return address;
    }
  };

  const attributes = (element) => {
    const inline = element.getAttribute("src")?.startsWith("data:") || element.getAttribute("srcset")?.startsWith("data:");
    for (const { name, value } of element.attributes) {
      if (inline && (name === "srcset" || (name === "src" && value.length > LONGEST_DATA))) continue;
      const said = element.ownerDocument !== document && (name === "href" || name === "src") ? full(element, value) : value;
      put(` ${name}="${said.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/\u00a0/g, "&nbsp;")}"`);
    }
  };

  const hides = (element) => {
    if (NEVER_SHOWN.has(element.localName) || element.namespaceURI === MATHEMATICS || element.hasAttribute("hidden")) return false;
    styled += 1;
    return styled <= STYLED && element.ownerDocument.defaultView?.getComputedStyle(element).display === "none";
  };

  const leaves = (element, name) =>
    LEFT_OUT.has(name) ||
    (name === "script" && !/json|^math\//.test(element.type)) ||
    (name === "link" && /\b(stylesheet|preload|modulepreload|prefetch)\b/.test(element.rel));

  const write = (node, depth) => {
    if (answer.size > most) return;
    if (node.nodeType === Node.TEXT_NODE) put(escaped(node.data));
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const name = node.localName;
    if (name === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const filled = node.assignedNodes();
      inside(filled.length ? filled : node.childNodes, depth);
    } else if (name === "iframe" || name === "frame") {
      const frame = own(node);
      if (frame) whole("div", node, depth, frame.body.childNodes);
    } else if (!leaves(node, name)) {
      whole(name === "frameset" ? "div" : name, node, depth, (node.shadowRoot ?? (name === "template" ? node.content : node)).childNodes);
    }
  };

  const whole = (name, element, depth, children) => {
    put(`<${name}`);
    attributes(element);
    if (depth && hides(element)) put(" hidden");
    put(">");
    if (EMPTY.has(name)) return;
    if (RAW.has(name)) put(element.textContent);
    else if (depth > DEEPEST) put(escaped(element.textContent));
    else inside(children, depth);
    put(`</${name}>`);
  };

  const inside = (nodes, depth) => {
    for (const node of nodes) write(node, depth + 1);
  };

  put("<!DOCTYPE html>");
  write(document.documentElement, 0);
  if (answer.size <= most) answer.html = pieces.join("");
  return answer;
}
