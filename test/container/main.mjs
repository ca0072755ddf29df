// Does what `docker build` and `docker run` would do with the Dockerfile, without Docker: runs its steps in a temporary
// folder, then its command as an unprivileged user and its health check, and stops it. Run by `npm run test:container`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';

const root = fileURLToPath(new URL('../..', import.meta.url));
if (process.getuid?.() !== 0 || spawnSync('setpriv', ['--version']).status !== 0) {
  console.log('skipped: this test must run as root, to start programs as another user, and needs setpriv');
  process.exit();
}

const workFolder = mkdtempSync(join(tmpdir(), 'billing-sim-image-'));
// The user of the container must be able to enter it.
chmodSync(workFolder, 0o755);
process.on('exit', () => rmSync(workFolder, { recursive: true, force: true }));
// By default, a signal ends the process without an `exit` event, which would leave the folder behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Copies the build context. .dockerignore excludes everything, and then includes single paths with `!`. */
function copyContext(to) {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*') throw new Error('.dockerignore must exclude everything first');
  for (const line of lines.slice(1)) {
    if (line.startsWith('!')) cpSync(join(root, line.slice(1)), join(to, line.slice(1)), { recursive: true });
    else rmSync(join(to, line), { recursive: true, force: true });
  }
}

/** Creates a build stage, with an empty folder for its files. Instructions change its other settings. */
function newStage(name) {
  const folder = join(workFolder, name);
  mkdirSync(folder, { recursive: true });
  return { folder, workdir: '/', env: {}, volumes: [], user: undefined };
}

/** The path on this machine of a path of the image. */
const hostPathOf = (stage, path) => join(stage.folder, path.startsWith('/') ? path : join(stage.workdir, path));
/** Replaces the absolute path `/data` in a text with its path on this machine. */
const withHostPaths = (stage, text) => text.replaceAll(/(?<![\w/.])\/data\b/g, hostPathOf(stage, '/data'));

/** Runs the instructions of the Dockerfile. @returns the last stage, which is the image */
function build(instructions) {
  const context = join(workFolder, 'context');
  copyContext(context);
  const stages = new Map();
  let stage;
  for (const instruction of instructions) {
    const values = instruction.getArguments().map((argument) => argument.getValue());
    const keyword = instruction.getKeyword();
    switch (keyword) {
      case 'FROM': {
        const name = values[1]?.toUpperCase() === 'AS' ? values[2] : 'image';
        stage = newStage(name);
        stages.set(name, stage);
        break;
      }
      case 'WORKDIR':
        stage.workdir = values[0];
        mkdirSync(hostPathOf(stage, values[0]), { recursive: true });
        break;
      case 'COPY': {
        const [flag] = instruction.getFlags();
        const from = flag && stages.get(flag.getValue());
        const target = values.at(-1);
        for (const source of values.slice(0, -1)) {
          const path = from ? hostPathOf(from, source) : join(context, source);
          // As in Docker, files and the contents of folders are copied into the target. All single files are JSON.
          const isFile = /\.json$/.test(source);
          cpSync(path, isFile ? join(hostPathOf(stage, target), source) : hostPathOf(stage, target), {
            recursive: true,
          });
        }
        break;
      }
      case 'RUN': {
        const command = withHostPaths(stage, instruction.getRawArgumentsContent());
        console.log(`RUN ${command}`);
        const { status } = spawnSync('sh', ['-c', command], {
          cwd: hostPathOf(stage, '.'),
          stdio: ['ignore', 'ignore', 'inherit'],
          env: { PATH: process.env.PATH, HOME: process.env.HOME, ...stage.env },
        });
        if (status !== 0) throw new Error(`this step failed: ${command}`);
        break;
      }
      case 'ENV':
        for (const property of instruction.getProperties()) stage.env[property.getName()] = property.getValue();
        break;
      case 'USER':
        stage.user = values[0].split(':');
        break;
      case 'ENTRYPOINT':
      case 'CMD':
        stage[keyword] = JSON.parse(instruction.getRawArgumentsContent());
        break;
      case 'HEALTHCHECK': {
        const content = instruction.getArgumentsContent();
        stage.HEALTHCHECK = JSON.parse(content.slice(content.indexOf('[')));
        break;
      }
      case 'VOLUME':
        stage.volumes.push(values[0]);
        break;
      case 'EXPOSE':
      case 'STOPSIGNAL':
        break;
      default:
        throw new Error(`the instruction ${keyword} is not supported here`);
    }
  }
  return stage;
}

function check(isTrue, expectation) {
  if (!isTrue) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}

const instructions = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8')).getInstructions();
const image = build(instructions);
const [uid, gid] = image.user;
check(Number(uid) > 0 && Number(gid) > 0, 'the image has an unprivileged user');
check(
  !existsSync(hostPathOf(image, '/app/src')) && !existsSync(hostPathOf(image, '/app/test')),
  'the image has no sources',
);

// Sets variables as `docker run -e` does. The port is a free one, since 4010 may be in use.
const portProbe = createServer().listen(0, '127.0.0.1');
await once(portProbe, 'listening');
const port = String(portProbe.address().port);
portProbe.close();
await once(portProbe, 'close');
const env = {
  ...image.env,
  BILLING_SIM_DATA: withHostPaths(image, image.env.BILLING_SIM_DATA),
  BILLING_SIM_PORT: port,
  BILLING_SIM_CONTROL_TOKEN: 'secret',
  PATH: process.env.PATH,
};
const asUser = (args) => ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', ...args];
const options = { cwd: hostPathOf(image, '.'), env };
const healthStatus = () => {
  const [command, ...args] = asUser(image.HEALTHCHECK);
  return spawnSync(command, args, options).status;
};

async function start() {
  const [command, ...args] = asUser([...image.ENTRYPOINT, ...image.CMD]);
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  while (healthStatus() !== 0) {
    if (hasEnded) throw new Error('the container ended');
    await pause(100);
  }
  return child;
}

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  check(code === 0 && signal === null, 'SIGTERM ends the container with exit code 0');
}

check(healthStatus() !== 0, 'the health check fails before the container runs');
const url = `http://127.0.0.1:${port}/api/v1/deposits`;
const headers = { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json' };

// Returns once the health check succeeds, and throws if the container ends before that.
const first = await start();
check(true, 'the health check succeeds once the container runs');
const body = JSON.stringify({ booking_reference: 'BK-container', amount: 300 });
const created = await fetch(url, { method: 'POST', headers, body });
check(created.status === 201, 'a deposit is created');
const { data } = await created.json();
check(data.authorization_url.startsWith(image.env.BILLING_SIM_PUBLIC_URL), 'links have the public URL');
const preferred = await fetch(url, { headers: { ...headers, Prefer: 'code=200' } });
check(preferred.status === 200, 'prism-http responds');
check((await fetch(`http://127.0.0.1:${port}/_sim/accounts`)).status === 401, 'the control API needs the token');
const page = await fetch(`http://127.0.0.1:${port}/docs/swagger-ui.css`);
check(page.status === 200, 'the files of pages are served');
await stop(first);

const second = await start();
const stored = await fetch(`${url}/${data.id}`, { headers });
check(stored.status === 200, 'the deposit is still there after a restart');
await stop(second);
