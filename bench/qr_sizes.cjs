// Gives the side of each QR code, in modules: reads [[text, level], ...] as JSON, writes [side, ...]. 0: it does not fit.

const qrcode = require("qrcode");

const side = ([text, level]) => {
  try {
    return qrcode.create(text, { errorCorrectionLevel: level }).modules.size;
  } catch {
    return 0;
  }
};

process.stdout.write(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf-8")).map(side)));
