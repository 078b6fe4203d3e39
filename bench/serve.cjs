// A Node worker: `node serve.cjs SCRIPT`. It uses the protocol of package_worker.py.
// SCRIPT exports a function that converts the values of a case to a job.

const readline = require("node:readline");

async function make(job) {
  return { content: Buffer.from(await job()).toString("base64") };
}

async function time(job, repeats) {
  const start = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  for (let count = 0; count < repeats; count++) await job();
  const used = process.cpuUsage(cpu);
  const wall = Number(process.hrtime.bigint() - start);
  return { wall: wall / 1e9 / repeats, cpu: (used.user + used.system) / 1e6 / repeats };
}

async function respond(prepare, { values, repeats }) {
  try {
    const job = prepare(values);
    return repeats ? await time(job, repeats) : await make(job);
  } catch (error) {
    return { error: String(error) };
  }
}

async function main(script) {
  const prepare = require(script);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await respond(prepare, JSON.parse(line)))}\n`);
  }
}

main(process.argv[2]);
