import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { type Simulator, startSimulator } from '../../src/index.js';
import { freePort } from '../support/free-port.js';
import { jsonOf } from '../support/json.js';
import { killAfterTest } from '../support/kill-after-test.js';
import { tempFolder } from '../support/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'examples/compose');
const base = read('compose.yaml');
const withMailpit = mergeFiles(base, read('compose.mailpit.yaml'));

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

function read(name: string): Compose {
  return parse(readFileSync(join(folder, name), 'utf8'));
}

/** Merges two files as Compose does: mappings are merged, service by service. */
function mergeFiles(first: Compose, second: Compose): Compose {
  const services = Object.fromEntries(
    [...new Set([...Object.keys(first.services), ...Object.keys(second.services)])].map((name) => {
      const [original = {}, override = {}] = [first.services[name], second.services[name]];
      return [
        name,
        {
          ...original,
          ...override,
          environment: { ...original.environment, ...override.environment },
          depends_on: { ...original.depends_on, ...override.depends_on },
        },
      ];
    }),
  );
  return { services, volumes: { ...first.volumes, ...second.volumes } };
}

const dockerfile = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const imageEnvironment = Object.fromEntries(
  dockerfile.getENVs().flatMap((env) => env.getProperties().map((each) => [each.getName(), each.getValue() ?? ''])),
);
const exposedPorts = dockerfile
  .getInstructions()
  .filter((instruction) => instruction.getKeyword() === 'EXPOSE')
  .flatMap((instruction) => instruction.getArguments().map((argument) => argument.getValue()));
/** Environment variables from which commands read their options. */
const optionVariables = new Set(readFileSync(join(root, 'docs/commands.md'), 'utf8').match(/BILLING_SIM_\w+/g));

describe.each([
  { name: 'compose.yaml', services: base.services, volumes: base.volumes },
  { name: 'compose.yaml with compose.mailpit.yaml', services: withMailpit.services, volumes: withMailpit.volumes },
])('$name', ({ services, volumes }) => {
  const entries = Object.entries(services).map(([service, definition]) => ({ service, definition }));

  test.each(entries)(
    '$service has an image with a version, or is built from a Dockerfile',
    ({ definition: { image, build } }) => {
      if (build === undefined) expect(image).toMatch(/^[\w/-]+:[\w.-]*\d[\w.-]*$/);
      else expect(existsSync(join(folder, build, 'Dockerfile'))).toBe(true);
    },
  );

  test.each(entries)('$service is published on this machine only', ({ definition: { ports = [] } }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test.each(entries)(
    'every service that $service waits for has a health check',
    ({ definition: { depends_on: needed = {} } }) => {
      for (const [name, { condition }] of Object.entries(needed)) {
        const dependency = services[name];
        // An image that is built has the health check of the Dockerfile, which a test below requires.
        const isChecked = dependency?.build === undefined ? dependency?.healthcheck !== undefined : true;
        expect({ name, condition, isChecked }).toEqual({ name, condition: 'service_healthy', isChecked: true });
      }
    },
  );

  test.each(entries)('the volumes and files that $service mounts exist', ({ definition: { volumes: mounts = [] } }) => {
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      expect(source.startsWith('.') ? existsSync(join(folder, source)) : Object.hasOwn(volumes ?? {}, source)).toBe(
        true,
      );
    }
  });

  test.each(entries)('URLs in the environment of $service point to services of the file', ({ definition }) => {
    for (const value of Object.values(definition.environment ?? {})) {
      if (!URL.canParse(value) || !value.includes('://')) continue;
      expect(Object.keys(services)).toContain(new URL(value).hostname);
    }
  });

  test('the simulator has only known options, and accepts the host name that other services use', () => {
    const names = Object.keys(services['billing-sim']?.environment ?? {});
    expect(names.filter((name) => !optionVariables.has(name))).toEqual([]);
    expect(imageEnvironment['BILLING_SIM_ALLOW_HOST']).toBe('billing-sim');
    expect(services['app']?.environment?.['BILLING_URL']).toBe(`http://billing-sim:${exposedPorts[0]}/api/v1`);
  });
});

test('the app logs each webhook, even one without `data` or with invalid JSON, and continues', async () => {
  const simulator = await startSimulator({ log: () => undefined });
  onTestFinished(() => simulator.close());
  const port = await freePort();
  const env = { ...process.env, BILLING_URL: simulator.baseUrl, BILLING_TOKEN: 'demo_full', PORT: String(port) };
  const app = spawn(process.execPath, [join(folder, 'app.mjs')], { env });
  killAfterTest(app);
  const lines = createInterface(app.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<unknown> => (await lines.next()).value;
  expect([await nextLine(), await nextLine()]).toEqual(['200: 7 deposits', 'waiting for webhooks']);
  for (const body of ['{"event":"deposit.created"}', '{"data":', '{"data":{"status":"pending"}}']) {
    const headers = { 'X-Service-Event': 'deposit.created' };
    const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
    expect([status, await nextLine()]).toEqual([204, `webhook deposit.created: ${body}`]);
  }
});

describe('the Dockerfile', () => {
  test('sets only BILLING_SIM_ variables from which commands read options', () => {
    const simulatorVariables = Object.keys(imageEnvironment).filter((name) => name.startsWith('BILLING_SIM_'));
    expect(simulatorVariables.filter((name) => !optionVariables.has(name))).toEqual([]);
    expect(imageEnvironment['BILLING_SIM_PORT']).toBe(exposedPorts[0]);
  });

  test('runs its command without a shell, so that it gets SIGTERM', () => {
    const commands = [dockerfile.getENTRYPOINTs(), dockerfile.getCMDs()].flat();
    expect(commands.map((command) => jsonOf(command.getRawArgumentsContent() ?? '').value)).toEqual([
      ['node', 'dist/cli.js'],
      ['start'],
    ]);
  });

  describe('has a health check', () => {
    let simulator: Simulator;
    beforeAll(async () => {
      simulator = await startSimulator({ log: () => undefined });
    });
    afterAll(() => simulator.close());

    /**
     * Runs the health check in a container with this command.
     * @param command with PORT in place of the simulator's port
     * @param portVariable value of BILLING_SIM_PORT; default: the simulator's port
     * @returns the exit code of the health check
     */
    function checkHealth(command: string, portVariable?: string): Promise<number> {
      const { port } = new URL(simulator.url);
      const commandLine = join(tempFolder(), 'cmdline');
      writeFileSync(commandLine, `${command.replace('PORT', port).split(' ').join('\0')}\0`);
      const [content = ''] = dockerfile.getHEALTHCHECKs().map((instruction) => instruction.getArgumentsContent() ?? '');
      const words = jsonOf(`{"words":${content.slice(content.indexOf('['))}}`)
        .list('words')
        .slice(1);
      const script = words.map((word) => String(word).replace('/proc/1/cmdline', commandLine));
      const env = { ...process.env, BILLING_SIM_PORT: portVariable ?? port };
      return new Promise((resolve) => {
        spawn(process.execPath, script, { env }).once('exit', (code) => resolve(code ?? -1));
      });
    }

    test.each([
      ['of BILLING_SIM_PORT', 'node dist/cli.js start', undefined],
      ['of the option --port', 'node dist/cli.js start --memory --port PORT --json', '1'],
      ['of the option --port, written with =', 'node dist/cli.js start --port=PORT', '1'],
      ['of the option --port, with an init process', '/sbin/docker-init -- node dist/cli.js start --port PORT', '1'],
    ])('which asks at the port %s', async (_source, command, portVariable) => {
      expect(await checkHealth(command, portVariable)).toBe(0);
    });

    test('which fails if nothing listens', async () => {
      expect(await checkHealth('node dist/cli.js start', '1')).toBe(1);
    });
  });

  test('contains all files that .dockerignore includes', () => {
    const included = readFileSync(join(root, '.dockerignore'), 'utf8').match(/^!.+$/gm) ?? [];
    expect(included.map((line) => line.slice(1)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
