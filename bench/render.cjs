// Draws the cases of render.py with puppeteer-core: a page a call, in one browser or, with LAUNCH=1, in one a call.

const fs = require("node:fs");
const puppeteer = require("puppeteer-core");

const launch = () =>
  puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], headless: "shell" });

let running;
const browser = () => (running ??= launch());

async function draw(owner, html, { format, width, height, quality }) {
  const page = await owner.newPage();
  if (format !== "pdf") await page.setViewport({ width, height });
  await page.setContent(html);
  const made =
    format === "pdf"
      ? await page.pdf({ format: "A4", printBackground: true })
      : await page.screenshot({ type: format, ...(quality && { quality }) });
  await page.close();
  return made;
}

async function once(html, values) {
  const owner = await launch();
  const made = await draw(owner, html, values);
  await owner.close();
  return made;
}

module.exports = (values) => {
  const html = fs.readFileSync(values.file, "utf8");
  if (process.env.LAUNCH) return () => once(html, values);
  return async () => {
    const owner = await browser();
    const made = await Promise.all(Array.from({ length: values.at_once ?? 1 }, () => draw(owner, html, values)));
    return made[0];
  };
};

process.on("exit", () => running?.then((owner) => owner.process()?.kill()));
process.stdin.on("end", async () => running && (await running).close());
