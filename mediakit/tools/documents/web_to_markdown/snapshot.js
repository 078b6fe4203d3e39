// Returns the state of the page: its HTML, its visible text and its controls. It runs in an isolated world and does not
// change the page. Shadow trees are written inside their hosts, with the content of their slots, and frames of the same
// origin in place of their elements. Videos, sounds and other frames are written with their addresses.
(maxCharacters) => {
  const VOID_ELEMENTS = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
  const OMITTED_ELEMENTS = new Set(["style", "canvas"]);
  const NOT_STYLED = new Set(["pre", "textarea", "math", "svg"]);
  const PRESERVED = /^(pre|pre-wrap|pre-line|break-spaces)$/;
  const RAW_TEXT_ELEMENTS = new Set(["script", "noscript", "xmp", "plaintext", "noembed", "noframes"]);
  const NEVER_RENDERED = new Set(["head", "title", "meta", "link", "base", "script", "noscript", "template", "source", "body"]);
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  const MAX_DEPTH = 1500;
  const MAX_STYLED_ELEMENTS = 50000;
  const MAX_DATA_URI = 2000;

  const roots = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      else if (frameDocument(element)) roots.push(frameDocument(element));
    }
    if (roots.length > 2000) break;
  }

  function frameDocument(element) {
    if (element.localName !== "iframe" && element.localName !== "frame") return null;
    try {
      return element.contentDocument?.body && element.checkVisibility?.() !== false ? element.contentDocument : null;
    } catch {
      return null;
    }
  }

  const isRendered = (element) => !element.checkVisibility || element.checkVisibility({ visibilityProperty: true });
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const visible = (selector) => all(selector).filter(isRendered);
  const shown = (root) => (root.body ? root.body.innerText : [...root.children].map((child) => (child.localName === "style" ? "" : child.innerText ?? "")).join("\n")).trim();
  const text = roots.map(shown).filter(Boolean).join("\n");
  const result = {
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
  if (!document.body) return result;

  const pieces = [];
  let styled = 0;
  const put = (piece) => {
    result.size += piece.length;
    if (result.size <= maxCharacters) pieces.push(piece);
  };
  const escapeText = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");

  const resolve = (element, address) => {
    try {
      return new URL(address, element.baseURI).href;
    } catch {
      return address;
    }
  };

  const attributes = (element, css) => {
    const isInline = element.getAttribute("src")?.startsWith("data:") || element.getAttribute("srcset")?.startsWith("data:");
    if (css && !element.hasAttribute("style")) put(` style="${css.slice(1)}"`);
    for (const { name, value } of element.attributes) {
      if (isInline && (name === "srcset" || (name === "src" && value.length > MAX_DATA_URI))) continue;
      const resolved = element.ownerDocument !== document && (name === "href" || name === "src") ? resolve(element, value) : value;
      put(` ${name}="${(name === "style" ? resolved + css : resolved).replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/\u00a0/g, "&nbsp;")}"`);
    }
  };

  // Returns the styles that change the text: whether an element is hidden, whether its line breaks are shown although
  // those of its parent are not (or the other way round), and whether code in it is not selected.
  const stylesOf = (element, parentWhiteSpace) => {
    const styles = { isHidden: false, whiteSpace: parentWhiteSpace, css: "" };
    if (NEVER_RENDERED.has(element.localName) || element.namespaceURI === MATHML) return styles;
    styled += 1;
    const computed = styled <= MAX_STYLED_ELEMENTS ? element.ownerDocument.defaultView?.getComputedStyle(element) : null;
    if (!computed) return styles;
    styles.isHidden = computed.display === "none" && !element.hasAttribute("hidden");
    styles.whiteSpace = computed.whiteSpace;
    if (NOT_STYLED.has(element.localName)) return styles;
    const isChanged = styles.whiteSpace !== parentWhiteSpace && (PRESERVED.test(styles.whiteSpace) || PRESERVED.test(parentWhiteSpace));
    if (isChanged) styles.css += `;white-space:${styles.whiteSpace}`;
    if (computed.userSelect === "none" && element.closest("pre, code, table")) styles.css += ";user-select:none";
    return styles;
  };

  const isOmitted = (element, name) =>
    OMITTED_ELEMENTS.has(name) ||
    (name === "script" && !/json|^math\//.test(element.type)) ||
    (name === "link" && /\b(stylesheet|preload|modulepreload|prefetch)\b/.test(element.rel));

  const writeNode = (node, depth, whiteSpace) => {
    if (result.size > maxCharacters) return;
    if (node.nodeType === Node.TEXT_NODE) put(escapeText(node.data));
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const name = node.localName;
    if (name === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes();
      writeNodes(assigned.length ? assigned : node.childNodes, depth, whiteSpace);
    } else if (name === "iframe" || name === "frame") {
      const frame = frameDocument(node);
      if (frame) writeElement("div", node, depth, frame.body.childNodes, whiteSpace);
      else if (name === "iframe") writeElement(name, node, depth, [], whiteSpace);
    } else if (!isOmitted(node, name)) {
      writeElement(name === "frameset" ? "div" : name, node, depth, (node.shadowRoot ?? (name === "template" ? node.content : node)).childNodes, whiteSpace);
    }
  };

  const writeElement = (name, element, depth, children, parentWhiteSpace) => {
    const { isHidden, whiteSpace, css } = stylesOf(element, parentWhiteSpace);
    put(`<${name}`);
    attributes(element, css);
    if (depth && isHidden) put(" hidden");
    put(">");
    if (VOID_ELEMENTS.has(name)) return;
    if (RAW_TEXT_ELEMENTS.has(name)) put(element.textContent);
    else if (depth > MAX_DEPTH) put(escapeText(element.textContent));
    else if (name !== "svg" || element.closest("mjx-container")) writeNodes(children, depth, whiteSpace);
    put(`</${name}>`);
  };

  const writeNodes = (nodes, depth, whiteSpace) => {
    for (const node of nodes) writeNode(node, depth + 1, whiteSpace);
  };

  put("<!DOCTYPE html>");
  writeNode(document.documentElement, 0, "normal");
  if (result.size <= maxCharacters) result.html = pieces.join("");
  return result;
}
