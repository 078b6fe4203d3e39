// Renders the cases of render.py with puppeteer-core: a page per call in one browser or, with LAUNCH=1, a browser per call.

const fs = require("node:fs");
const puppeteer = require("puppeteer-core");

const launch = () =>
  puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], headless: "shell" });

let running;
const browser = () => (running ??= launch());

async function render(owner, html, { format, width, height, quality }) {
  const page = await owner.newPage();
  if (format !== "pdf") await page.setViewport({ width, height });
  await page.setContent(html);
  const content =
    format === "pdf"
      ? await page.pdf({ format: "A4", printBackground: true })
      : await page.screenshot({ type: format, ...(quality && { quality }) });
  await page.close();
  return content;
}

async function renderInNewBrowser(html, values) {
  const owner = await launch();
  const content = await render(owner, html, values);
  await owner.close();
  return content;
}

module.exports = (values) => {
  const html = fs.readFileSync(values.file, "utf8");
  if (process.env.LAUNCH) return () => renderInNewBrowser(html, values);
  return async () => {
    const owner = await browser();
    const contents = await Promise.all(Array.from({ length: values.concurrency ?? 1 }, () => render(owner, html, values)));
    return contents[0];
  };
};

process.on("exit", () => running?.then((owner) => owner.process()?.kill()));
process.stdin.on("end", async () => running && (await running).close());
