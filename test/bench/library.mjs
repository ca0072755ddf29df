// Measures the library in a process that has already started one simulator, as in the second and later tests of a
// suite. Prints the milliseconds of each start, and of each account created through the library and the control API, as
// JSON.
// Usage: node library.mjs DIST COUNT
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [dist, count] = process.argv.slice(2);
const { startSimulator } = await import(pathToFileURL(join(dist, 'index.js')).href);

/** Runs an action `count` times, after a first run that does not count. @returns the milliseconds of each run */
async function measureTimes(action) {
  const times = [];
  for (let index = 0; index <= Number(count); index++) {
    const startedAt = performance.now();
    await action();
    times.push(performance.now() - startedAt);
  }
  return times.slice(1);
}

const simulators = [];
const starts = await measureTimes(async () => simulators.push(await startSimulator()));
await Promise.all(simulators.map((simulator) => simulator.close()));

const simulator = await startSimulator();
const accounts = await measureTimes(() => simulator.createAccount());
// Uses node:http, since fetch takes longer than the simulator.
const agent = new Agent({ keepAlive: true });
const accountsOverHttp = await measureTimes(async () => {
  const sent = request(`${simulator.url}/_sim/accounts`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 2 },
  });
  sent.end('{}');
  const [response] = await once(sent, 'response');
  const body = await text(response);
  if (response.statusCode !== 201) throw new Error(`creating an account returned ${response.statusCode}: ${body}`);
});
agent.destroy();
await simulator.close();
console.log(JSON.stringify({ starts, accounts, accountsOverHttp }));
