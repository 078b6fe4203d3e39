// Renders the certificates of batch.py with puppeteer-cluster: two pages at a time, each in its own context.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const puppeteer = require("puppeteer-core");
const { Cluster } = require("puppeteer-cluster");

const RECIPIENT = "Recipient Number 00000";
const pad = (number) => String(number).padStart(5, "0");

let running;
const cluster = () =>
  (running ??= Cluster.launch({
    puppeteer,
    concurrency: Cluster.CONCURRENCY_CONTEXT,
    maxConcurrency: os.availableParallelism(),
    puppeteerOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], headless: "shell" },
  }));

module.exports = ({ page: source, folder: parent, format, rows, width, height }) => {
  const html = fs.readFileSync(source, "utf8");
  return async () => {
    const folder = fs.mkdtempSync(path.join(parent, "cluster-"));
    const file = (number) => path.join(folder, `${pad(number)}.${format}`);
    const render = async ({ page, data: number }) => {
      if (format !== "pdf") await page.setViewport({ width, height });
      await page.setContent(html.replaceAll(RECIPIENT, RECIPIENT.slice(0, -5) + pad(number)));
      if (format === "pdf") await page.pdf({ path: file(number), format: "A4", landscape: true, printBackground: true });
      else await page.screenshot({ path: file(number) });
    };
    const workers = await cluster();
    await Promise.all(Array.from({ length: rows }, (_, number) => workers.execute(number, render)));
    return fs.readFileSync(file(rows - 1));
  };
};

process.on("exit", () => running?.then((workers) => workers.browser?.process()?.kill()));
process.stdin.on("end", async () => running && (await running).close());
