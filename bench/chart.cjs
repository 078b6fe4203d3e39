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

module.exports = ({ type, labels, series, title, width, height }) => {
  const round = type === "pie" || type === "doughnut";
  const datasets = (round ? series.slice(0, 1) : series).map(({ name, data }, index) => ({
    label: name,
    data,
    backgroundColor: round ? PALETTE : PALETTE[index],
    borderColor: type === "line" || type === "radar" ? PALETTE[index] : undefined,
  }));
  return async () => {
    const canvas = createCanvas(width, height);
    const chart = new Chart(canvas.getContext("2d"), {
      type,
      data: { labels, datasets: datasets.map((each) => ({ ...each })) },
      options: { animation: false, responsive: false, devicePixelRatio: 1, plugins: { title: { display: true, text: title } } },
      plugins: [background],
    });
    const png = await canvas.encode("png");
    chart.destroy();
    return png;
  };
};
