import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const headers = { authorization: 'Bearer demo_full' };
const running = new Set();

/**
 * Start options of bare Express: `args` for Node, and the paths of the page, the statistics and new deposits.
 * @param file JSON file with the page that it responds with; an empty object if it is omitted
 * @param data JSON file that it parses first, and keeps
 */
export function bareExpress(file = '', data = '') {
  const script = fileURLToPath(new URL('bare.mjs', import.meta.url));
  return { name: 'bare Express', args: (port) => [script, port, file, data], ...servicePaths };
}

/** Start options of the simulator, on a data folder or in memory, with a webhook URL or without. */
export function simulator(cli, folder, webhookUrl) {
  const data = folder === undefined ? ['--memory'] : ['--data', folder];
  const webhooks = webhookUrl === undefined ? [] : ['--webhook-url', webhookUrl];
  return {
    name: 'billing-sim',
    args: (port) => [cli, 'start', '--json', '--rate-limit', 'off', '--port', port, ...data, ...webhooks],
    ...servicePaths,
  };
}

/** Start options of the validating proxy in front of a service. */
export function validatingProxy(cli, origin) {
  const args = (port) => [cli, 'proxy', '--upstream', origin, '--port', port];
  return { name: 'billing-sim proxy', args, ...servicePaths };
}

/** Start options of a proxy that only forwards. */
export function bareProxy(origin) {
  const script = fileURLToPath(new URL('forward.mjs', import.meta.url));
  return { name: 'bare proxy', args: (port) => [script, port, origin], ...servicePaths };
}

const servicePaths = {
  page: '/api/v1/invoices',
  stats: '/api/v1/invoices/stats',
  deposits: '/api/v1/deposits',
};

/**
 * Starts a server, and requests its page every 2 ms until it responds with 200. The port is chosen beforehand, since
 * the requests begin before the server could print it.
 */
export async function launch(server, workFolder) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = start(server.name, server.args(String(port)), workFolder);
  const deadline = startedAt + 60_000;
  let status;
  while (status !== 200) {
    if (hasEnded(child)) throw failure(child, 'ended instead of responding');
    if (performance.now() > deadline)
      throw failure(child, `did not respond with 200 in a minute (last status: ${status})`);
    status = await statusOf(origin + server.page);
    if (status !== 200) await pause(2);
  }
  const request = (path) => ({ url: origin + path, headers, processorTime: () => processorTime(child) });
  return {
    /** Time from the start of the process to its first response. */
    firstResponseMs: performance.now() - startedAt,
    page: request(server.page),
    stats: request(server.stats),
    write: {
      ...request(server.deposits),
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(deposit),
    },
    addFault: (fault) => postJson(`${origin}/_sim/accounts/demo/faults`, fault),
    residentMemory: () => residentMemory(child.pid),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Starts the proxy, and waits until it prints that it is ready. */
export async function runProxy(cli, origin, workFolder) {
  const child = start('proxy', [cli, 'proxy', '--json', '--upstream', origin, '--port', '0'], workFolder);
  const { baseUrl } = JSON.parse(await firstLine(child));
  return { baseUrl, stop: () => end(child, 'SIGTERM') };
}

/** Kills all processes that a measurement has left running. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs Node until it exits. */
export async function run(name, args, workFolder) {
  const child = start(name, args, workFolder);
  await untilEnded(child);
  if (child.exitCode !== 0) throw failure(child, `ended with ${child.exitCode ?? child.signalCode}`);
  return child;
}

/** Runs a script in this folder until it exits. @returns the JSON in its last line of output */
export async function runForJson(script, args, workFolder, nodeArgs = []) {
  const child = await run(script, [...nodeArgs, fileURLToPath(new URL(script, import.meta.url)), ...args], workFolder);
  return JSON.parse(readFileSync(child.log, 'utf8').trim().split('\n').at(-1));
}

/** Starts a webhook receiver, which never responds if the mode is `hang`. @returns its URL */
export async function receiver(workFolder, mode = 'answer') {
  const child = start(`receiver-${mode}`, [fileURLToPath(new URL('receiver.mjs', import.meta.url)), mode], workFolder);
  return JSON.parse(await firstLine(child)).url;
}

/** Waits for the first line of output of a process. */
async function firstLine(child) {
  for (;;) {
    assertRunning(child);
    const [line, rest] = readFileSync(child.log, 'utf8').split('\n', 2);
    if (rest !== undefined) return line;
    await pause(5);
  }
}

export async function getJson({ url }, query = '') {
  const response = await fetch(url + query, { headers });
  if (!response.ok) throw new Error(`GET ${url}${query} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

async function postJson(url, body) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`POST ${url} returned ${response.status}: ${await response.text()}`);
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const deposit = {
  booking_reference: 'BK-2031-1187',
  amount: 300,
  currency: 'EUR',
  customer: { name: 'Ada Lovelace', email: 'ada@hotel.example' },
  check_in_date: '2031-07-10',
  check_out_date: '2031-07-14',
  metadata: { room: '204', channel: 'direct' },
};

function start(name, args, workFolder) {
  const log = join(workFolder, `${name.replaceAll(' ', '-')}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, args, { cwd: workFolder, stdio: ['ignore', output, output] });
  closeSync(output);
  child.label = name;
  child.log = log;
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function failure(child, problem) {
  return new Error(`${child.label} ${problem}\n${readFileSync(child.log, 'utf8').slice(-2000)}`);
}

async function end(child, signal) {
  assertRunning(child);
  child.kill(signal);
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await untilEnded(child);
  clearTimeout(killTimer);
}

async function untilEnded(child) {
  if (!hasEnded(child)) await once(child, 'exit');
}

function assertRunning(child) {
  if (hasEnded(child)) throw failure(child, `ended by itself (${child.exitCode ?? child.signalCode})`);
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

function residentMemory(pid) {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`);
  return Number(kilobytes) * 1024;
}

/** CPU time of a process in microseconds; Linux counts in hundredths of a second. */
function processorTime(child) {
  assertRunning(child);
  const { pid } = child;
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may contain spaces. The times are the 12th and 13th fields after it.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The status of a response; undefined while no server listens, or if it does not respond within 5 s. */
function statusOf(url) {
  return new Promise((resolve) => {
    get(url, { agent: false, headers, signal: AbortSignal.timeout(5_000) }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(undefined));
    }).once('error', () => resolve(undefined));
  });
}
