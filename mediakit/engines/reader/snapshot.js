// What stands in the page now, for reading: run in a world of its own, where the page's scripts change nothing.
(most) => {
  const rendered = (element) => !element.checkVisibility || element.checkVisibility({ visibilityProperty: true });
  const body = document.body;
  const text = body ? body.innerText.trim() : "";
  const visible = (selector) => [...document.querySelectorAll(selector)].filter(rendered);
  const answer = {
    type: document.contentType,
    url: location.href,
    title: document.title.slice(0, 300),
    text: text.slice(0, 3000),
    length: text.length,
    passwords: visible("input[type=password]").length,
    buttons: visible("button, [role=button], input[type=submit], input[type=button]").slice(0, 20).map((button) => (button.innerText || button.value || "").trim().slice(0, 60)),
    captchas: document.querySelectorAll("iframe[src*=captcha], iframe[src*='challenges.cloudflare'], .g-recaptcha, .h-captcha, .cf-turnstile, #challenge-form, #px-captcha, #cf-challenge-running").length,
    html: "",
    size: 0,
  };
  if (!body) return answer;
  const elements = body.getElementsByTagName("*");
  if (elements.length < 50000) {
    for (const element of elements) {
      if (element.shadowRoot && !element.textContent.trim()) {
        const inner = document.createElement("div");
        for (const child of element.shadowRoot.childNodes) inner.append(child.cloneNode(true));
        element.append(inner);
      }
    }
    const unseen = [...elements].filter((element) => getComputedStyle(element).display === "none");
    for (const element of unseen) if (!element.closest("noscript, math, svg, template")) element.setAttribute("hidden", "");
  }
  for (const element of document.querySelectorAll("script:not([type*=json]):not([type^='math/']), style, link[rel~=stylesheet], link[rel~=preload], iframe, object, embed")) element.remove();
  for (const element of document.querySelectorAll("[src^='data:'], [srcset^='data:']")) {
    element.removeAttribute("srcset");
    if (element.getAttribute("src")?.length > 2000) element.removeAttribute("src");
  }
  const html = document.documentElement.outerHTML;
  answer.size = html.length;
  if (html.length <= most) answer.html = html;
  return answer;
}
