// Renders a case of qr.py with qrcode.

const qrcode = require("qrcode");

module.exports = ({ data, format, size, margin }) => {
  const options = { type: format, width: size, margin, errorCorrectionLevel: "M" };
  return format === "svg" ? () => qrcode.toString(data, options) : () => qrcode.toBuffer(data, options);
};
