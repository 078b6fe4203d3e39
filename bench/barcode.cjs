// Renders a case of barcode.py with bwip-js.

const bwipjs = require("bwip-js");

const NAMES = { itf14: "itf14", pdf417: "pdf417", aztec: "azteccode" };

module.exports = ({ data, type, scale, format }) => {
  const options = { bcid: NAMES[type] ?? type, text: data, scale, includetext: true, textxalign: "center" };
  return format === "svg" ? () => bwipjs.toSVG(options) : () => bwipjs.toBuffer(options);
};
