// Measures the library in a process that has started one simulator before, as in the second and later test of a suite.
// Prints the milliseconds of each start, and of each new account by the library and by the control API, as JSON.
// node library.mjs DIST COUNT
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, count] = process.argv.slice(2);
const { startSimulator } = await import(pathToFileURL(join(dist, 'index.js')).href);

/** Does something so many times, after once that does not count. @returns the milliseconds of each time */
async function timed(work) {
  const times = [];
  for (let index = 0; index <= Number(count); index++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.slice(1);
}

const simulators = [];
const starts = await timed(async () => simulators.push(await startSimulator()));
await Promise.all(simulators.map((simulator) => simulator.close()));

const simulator = await startSimulator();
const accounts = await timed(() => simulator.createAccount());
const accountsOverHttp = await timed(async () => {
  const response = await fetch(`${simulator.url}/_sim/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status !== 201)
    throw new Error(`a new account was answered ${response.status}: ${await response.text()}`);
  await response.json();
});
await simulator.close();
console.log(JSON.stringify({ starts, accounts, accountsOverHttp }));
