// Renders a case of chart.py with Chart.js on @napi-rs/canvas.

const { createCanvas } = require("@napi-rs/canvas");
const { Chart, registerables } = require("chart.js");

Chart.register(...registerables);

const PALETTE = ["#3e5afa", "#de6611", "#45c6ca", "#85447a", "#e8ae34", "#998bf5", "#77252c", "#5941b3", "#37a773", "#9a77a8"];

const background = {
  id: "background",
  beforeDraw: ({ ctx, width, height }) => {
    ctx.fillStyle = "#ffffff";
    ctx.fillRect(0, 0, width, height);
  },
};

/** Types of Chart.js by types of charts with an axis of numbers. */
const ON_AXIS = { timeline: "line", area: "line", scatter: "scatter" };

module.exports = ({ type, labels, series, title, width, height }) => {
  const round = type === "pie" || type === "doughnut";
  const kind = ON_AXIS[type] ?? type;
  const datasets = (round ? series.slice(0, 1) : series).map(({ name, data }, index) => ({
    label: name,
    data: type in ON_AXIS ? data.map((y, place) => ({ x: Number(labels[place]), y })) : data,
    backgroundColor: round ? PALETTE : PALETTE[index],
    borderColor: kind === "line" || kind === "radar" ? PALETTE[index] : undefined,
    fill: type === "area",
    pointRadius: type === "timeline" || type === "area" ? 0 : undefined,
  }));
  const scales = type in ON_AXIS ? { x: { type: "linear" } } : undefined;
  return async () => {
    const canvas = createCanvas(width, height);
    const chart = new Chart(canvas.getContext("2d"), {
      type: kind,
      data: { labels, datasets: datasets.map((each) => ({ ...each })) },
      options: { animation: false, scales, responsive: false, devicePixelRatio: 1, plugins: { title: { display: true, text: title } } },
      plugins: [background],
    });
    const png = await canvas.encode("png");
    chart.destroy();
    return png;
  };
};
