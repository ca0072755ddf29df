import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const headers = { authorization: 'Bearer demo_full' };
const running = new Set();

/** Start options of a server: `args` for node, and the paths of the page, the statistics and new deposits. */
export function bareExpress(file) {
  const script = fileURLToPath(new URL('bare.mjs', import.meta.url));
  return { name: 'bare Express', args: (port) => [script, port, ...(file ? [file] : [])], ...servicePaths };
}

/** The simulator on a folder, or in memory; its events go to a webhook URL, or nowhere. */
export function simulator(cli, folder, webhookUrl) {
  const data = folder === undefined ? ['--memory'] : ['--data', folder];
  const webhooks = webhookUrl === undefined ? [] : ['--webhook-url', webhookUrl];
  return {
    name: 'billing-sim',
    args: (port) => [cli, 'start', '--json', '--rate-limit', 'off', '--port', port, ...data, ...webhooks],
    ...servicePaths,
  };
}

/** The proxy before a service. */
export function validatingProxy(cli, origin) {
  const args = (port) => [cli, 'proxy', '--upstream', origin, '--port', port];
  return { name: 'billing-sim proxy', args, ...servicePaths };
}

/** A proxy that only forwards. */
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
 * Starts a server and asks for its page, every 2 ms, until it answers 200.
 * The port is picked beforehand, since the server must be asked before it can tell.
 */
export async function launch(server, work) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = start(server.name, server.args(String(port)), work);
  const deadline = began + 60_000;
  let status;
  while (status !== 200) {
    if (hasEnded(child)) throw failure(child, 'ended instead of answering');
    if (performance.now() > deadline) throw failure(child, `did not answer 200 in a minute (last: ${status})`);
    status = await statusOf(origin + server.page);
    if (status !== 200) await pause(2);
  }
  const request = (path) => ({ url: origin + path, headers, processorTime: () => processorTime(child) });
  return {
    /** Milliseconds from the start of the process to its first answer. */
    firstAnswer: performance.now() - began,
    page: request(server.page),
    stats: request(server.stats),
    write: {
      ...request(server.deposits),
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(deposit),
    },
    /** Adds a fault to the simulator. */
    add: (fault) => postJson(`${origin}/_sim/accounts/demo/faults`, fault),
    residentMemory: () => residentMemory(child.pid),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Starts the proxy and waits until it says that it is ready. */
export async function runProxy(cli, origin) {
  const child = spawn(process.execPath, [cli, 'proxy', '--json', '--upstream', origin, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const [line] = await once(child.stdout, 'data');
  return {
    baseUrl: JSON.parse(line).baseUrl,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      running.delete(child);
    },
  };
}

/** Ends whatever a figure has left running. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a program of node to its end. */
export async function run(name, args, work) {
  const child = start(name, args, work);
  await ended(child);
  if (child.exitCode !== 0) throw failure(child, `ended with ${child.exitCode ?? child.signalCode}`);
}

/** Runs a program of this folder to its end. @returns the JSON that it printed last */
export async function runForJson(script, args, work, nodeArgs = []) {
  const child = start(script, [...nodeArgs, fileURLToPath(new URL(script, import.meta.url)), ...args], work);
  await ended(child);
  if (child.exitCode !== 0) throw failure(child, `ended with ${child.exitCode ?? child.signalCode}`);
  return JSON.parse(readFileSync(child.log, 'utf8').trim().split('\n').at(-1));
}

/** Starts a webhook receiver, which answers or `hang`s. @returns its URL */
export async function receiver(work, mode = 'answer') {
  const child = start(`receiver-${mode}`, [fileURLToPath(new URL('receiver.mjs', import.meta.url)), mode], work);
  for (;;) {
    mustRun(child);
    const line = readFileSync(child.log, 'utf8');
    if (line.endsWith('\n')) return JSON.parse(line).url;
    await pause(5);
  }
}

export async function getJson({ url }, query = '') {
  const response = await fetch(url + query, { headers });
  if (!response.ok) throw new Error(`GET ${url}${query} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function postJson(url, body) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${await response.text()}`);
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

function start(name, args, work) {
  const log = join(work, `${name.replaceAll(' ', '-')}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, args, { cwd: work, stdio: ['ignore', output, output] });
  closeSync(output);
  child.label = name;
  child.log = log;
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function failure(child, what) {
  return new Error(`${child.label} ${what}\n${readFileSync(child.log, 'utf8').slice(-2000)}`);
}

async function end(child, signal) {
  mustRun(child);
  child.kill(signal);
  const impatience = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended(child);
  clearTimeout(impatience);
}

async function ended(child) {
  if (!hasEnded(child)) await once(child, 'exit');
}

function mustRun(child) {
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
  mustRun(child);
  const { pid } = child;
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces; the times are the 12th and 13th field after it.
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

/** The status of a response; undefined while no server listens. */
function statusOf(url) {
  return new Promise((resolve) => {
    get(url, { agent: false, headers, timeout: 5_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(undefined));
    }).once('error', () => resolve(undefined));
  });
}
