// Starts the single executable as a user without Node does: from an empty folder, as an unprivileged user, without a
// PATH. Run by `npm run test:executable`, which builds it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hostPlatform } from '../support/install-node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fileName = process.platform === 'win32' ? 'billing-sim.exe' : 'billing-sim';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const workFolder = mkdtempSync(join(tmpdir(), 'billing-sim-executable-'));
process.on('exit', () => rmSync(workFolder, { recursive: true, force: true }));
// By default, a signal ends the process without an `exit` event, which would leave the folder behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const executable = join(workFolder, fileName);
copyFileSync(join(root, 'dist-executable', hostPlatform, fileName), executable);
/** Working directory and home of the executable. */
const home = join(workFolder, 'home');
mkdirSync(home);

// Root starts the executable as the user `nobody`, who may write only to `home`.
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
if (user.uid !== undefined) {
  chmodSync(workFolder, 0o755);
  chownSync(home, user.uid, user.gid);
}

const options = { cwd: home, env: { PATH: '', HOME: home }, ...user };

/** Runs a command to its end. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(executable, args, { ...options, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function check(isTrue, expectation) {
  if (!isTrue) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}

/** Starts the simulator. @returns its process and URL, once it has responded */
async function start(...args) {
  const startedAt = performance.now();
  const child = spawn(executable, ['start', '--port', '0', '--json', ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    await (await fetch(`${url}/_sim/health`)).arrayBuffer();
    return { child, url, firstAnswerMs: performance.now() - startedAt, stderr: () => stderr };
  }
  throw new Error(`the simulator did not start: ${stderr}`);
}

async function stop({ child, stderr }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  check(code === 0 && signal === null, 'SIGTERM ends the simulator with exit code 0');
  check(!/warning|error/i.test(stderr()), 'the simulator has printed no warning');
}

check(run('--version').stdout.trim() === version, 'the executable prints its version');
const unknown = run('begin');
check(
  unknown.status === 2 && /unknown command 'begin'/.test(unknown.stderr),
  'an unknown command ends with exit code 2',
);
check(run('completion', 'bash').stdout.includes('complete -F'), 'the executable prints a completion script');

const first = await start('--data', 'data');
const { url } = first;
check(statSync(join(home, 'data')).isDirectory(), 'the simulator creates its data folder');

const headers = { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json' };
const depositsUrl = (origin) => `${origin}/api/v1/deposits`;
const body = JSON.stringify({ booking_reference: 'BK-executable', amount: 300 });
const created = await fetch(depositsUrl(url), { method: 'POST', headers, body });
check(created.status === 201, 'a deposit is created');
const { id } = (await created.json()).data;
const depositStatus = async (origin) =>
  (await (await fetch(`${depositsUrl(origin)}/${id}`, { headers })).json()).data?.status;
check(run('deposit', 'authorize', String(id), '--url', url).status === 0, 'a command authorizes the deposit');
const advanced = run('clock', 'advance', '8d', '--url', url);
check(advanced.status === 0 && advanced.stdout.includes('authorized → expired'), 'a command advances the clock');
check((await depositStatus(url)) === 'expired', 'the deposit has expired');

for (const page of ['/dashboard/demo', '/docs']) {
  const response = await fetch(url + page);
  const links = [...(await response.text()).matchAll(/(?:src|href)="(\/(?:assets|docs)\/[^"]+\.[^"]+)"/g)];
  check(response.status === 200 && links.length > 1, `${page} opens`);
  for (const [, link] of links) {
    const file = await fetch(url + link);
    check(file.status === 200 && (await file.text()).length > 0, `${link}, which ${page} loads, is served`);
  }
}

const preferred = await fetch(depositsUrl(url), { headers: { ...headers, Prefer: 'code=200' } });
check(preferred.status === 200, 'the included prism-http responds');
const contract = run('contract', '--base-url', `${url}/api/v1`, '--token', 'demo_full', '--write');
check(contract.status === 0, `the contract suite passes: ${contract.stdout.trim().split('\n').at(-2)}`);
await stop(first);

// The configuration file is an ES module with `await` at its top level.
writeFileSync(join(home, 'billing-sim.config.mjs'), 'export default await { start: { data: "data" } };');
const second = await start();
check(
  (await depositStatus(second.url)) === 'expired',
  'the data survives a restart, with the folder from a configuration file',
);
await stop(second);
rmSync(join(home, 'billing-sim.config.mjs'));

const times = [];
for (let round = 0; round < 5; round++) {
  const simulator = await start('--memory');
  times.push(simulator.firstAnswerMs);
  await stop(simulator);
}
const median = times.sort((a, b) => a - b)[2];
console.log(`size: ${Math.round(statSync(executable).size / 1e6)} MB`);
console.log(`first response: ${Math.round(median)} ms after the start (median of ${times.length})`);
