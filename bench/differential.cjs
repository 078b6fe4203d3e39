// Runs the jobs of differential.py with sharp: reads one JSON job per line, writes one JSON response per line.

const fs = require("node:fs");
const readline = require("node:readline");
const sharp = require("sharp");

async function convert({ file, width, height, fit, position, format, quality, background, withoutEnlargement, target }) {
  const resized = sharp(fs.readFileSync(file))
    .autoOrient()
    .resize({ width, height, fit, position, withoutEnlargement, background });
  const flat = format === "jpeg" ? resized.flatten({ background: "#ffffff" }) : resized;
  const { data, info } = await flat.toFormat(format, { quality }).toBuffer({ resolveWithObject: true });
  fs.writeFileSync(target, data);
  return { width: info.width, height: info.height, left: info.cropOffsetLeft, top: info.cropOffsetTop };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const response = await convert(JSON.parse(line)).catch((error) => ({ error: String(error) }));
    process.stdout.write(`${JSON.stringify(response)}\n`);
  }
}

main();
