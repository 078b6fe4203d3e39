// Compares the images of a case of image_compare.py with pixelmatch.

const fs = require("node:fs");
const { default: pixelmatch } = require("pixelmatch");
const { PNG } = require("pngjs");

module.exports = ({ file, file2 }) => {
  const contents = [file, file2].map((path) => fs.readFileSync(path));
  return () => {
    const [first, second] = contents.map((content) => PNG.sync.read(content));
    const { width, height } = first;
    const difference = new PNG({ width, height });
    pixelmatch(first.data, second.data, difference.data, width, height);
    return PNG.sync.write(difference);
  };
};
