// Does a case of images.py with sharp.

const fs = require("node:fs");
const sharp = require("sharp");

sharp.cache(false); // The same picture again and again would come from memory.

module.exports = ({ file, width, height, position, format }) => {
  const content = fs.readFileSync(file);
  return () => sharp(content).autoOrient().resize({ width, height, position }).toFormat(format).toBuffer();
};
