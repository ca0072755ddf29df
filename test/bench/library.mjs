// Measures the library in a process that has started one simulator before, as in the second and later test of a suite.
// Prints the milliseconds of each start, and of each new account by the library and by the control API, as JSON.
// node library.mjs DIST COUNT
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [dist, count] = process.argv.slice(2);
const { startSimulator } = await import(pathToFileURL(join(dist, 'index.js')).href);

/** Repeats an action `count` times, after a first time that is not counted. @returns the milliseconds of each time */
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
// Not fetch, which takes longer than the simulator.
const agent = new Agent({ keepAlive: true });
const accountsOverHttp = await timed(async () => {
  const sent = request(`${simulator.url}/_sim/accounts`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 2 },
  });
  sent.end('{}');
  const [response] = await once(sent, 'response');
  const answer = await text(response);
  if (response.statusCode !== 201) throw new Error(`a new account was answered ${response.statusCode}: ${answer}`);
});
agent.destroy();
await simulator.close();
console.log(JSON.stringify({ starts, accounts, accountsOverHttp }));
