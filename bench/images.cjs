// Converts a case of images.py with sharp.

const fs = require("node:fs");
const sharp = require("sharp");

sharp.cache(false); // Repeated conversions of the same image would be cached.

module.exports = ({ file, width, height, position, format }) => {
  const content = fs.readFileSync(file);
  return () => sharp(content).autoOrient().resize({ width, height, position }).toFormat(format).toBuffer();
};
