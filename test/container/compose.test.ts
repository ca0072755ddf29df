import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonOf } from '../support/json.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'examples/compose');
const base = read('compose.yaml');
const withMailpit = merged(base, read('compose.mailpit.yaml'));

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
function merged(one: Compose, other: Compose): Compose {
  const services = Object.fromEntries(
    [...new Set([...Object.keys(one.services), ...Object.keys(other.services)])].map((name) => {
      const [before = {}, after = {}] = [one.services[name], other.services[name]];
      return [
        name,
        {
          ...before,
          ...after,
          environment: { ...before.environment, ...after.environment },
          depends_on: { ...before.depends_on, ...after.depends_on },
        },
      ];
    }),
  );
  return { services, volumes: { ...one.volumes, ...other.volumes } };
}

const dockerfile = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const environment = Object.fromEntries(
  dockerfile.getENVs().flatMap((env) => env.getProperties().map((each) => [each.getName(), each.getValue() ?? ''])),
);
const exposed = dockerfile
  .getInstructions()
  .filter((instruction) => instruction.getKeyword() === 'EXPOSE')
  .flatMap((instruction) => instruction.getArguments().map((argument) => argument.getValue()));
/** Options that `start` reads from the environment. */
const variables = new Set(readFileSync(join(root, 'docs/commands.md'), 'utf8').match(/BILLING_SIM_\w+/g));

describe.each([
  { name: 'compose.yaml', services: base.services, volumes: base.volumes },
  { name: 'compose.yaml with compose.mailpit.yaml', services: withMailpit.services, volumes: withMailpit.volumes },
])('$name', ({ services, volumes }) => {
  const all = Object.entries(services).map(([service, definition]) => ({ service, definition }));

  test.each(all)('$service has an image with a version, or a Dockerfile', ({ definition: { image, build } }) => {
    if (build === undefined) expect(image).toMatch(/^[\w/-]+:[\w.-]*\d[\w.-]*$/);
    else expect(existsSync(join(folder, build, 'Dockerfile'))).toBe(true);
  });

  test.each(all)('$service is published on this machine only', ({ definition: { ports = [] } }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test.each(all)('what $service waits for has a health check', ({ definition: { depends_on: needed = {} } }) => {
    for (const [name, { condition }] of Object.entries(needed)) {
      const other = services[name];
      const isChecked = other?.build === undefined ? other?.healthcheck !== undefined : true;
      expect({ name, condition, isChecked }).toEqual({ name, condition: 'service_healthy', isChecked: true });
    }
  });

  test.each(all)('volumes and files of $service exist', ({ definition: { volumes: mounts = [] } }) => {
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      expect(source.startsWith('.') ? existsSync(join(folder, source)) : Object.hasOwn(volumes ?? {}, source)).toBe(
        true,
      );
    }
  });

  test.each(all)('URLs in the environment of $service lead to services', ({ definition }) => {
    for (const value of Object.values(definition.environment ?? {})) {
      if (!URL.canParse(value) || !value.includes('://')) continue;
      expect(Object.keys(services)).toContain(new URL(value).hostname);
    }
  });

  test('the simulator is configured by options that exist, and accepts the name by which others call it', () => {
    const names = Object.keys(services['billing-sim']?.environment ?? {});
    expect(names.filter((name) => !variables.has(name))).toEqual([]);
    expect(environment['BILLING_SIM_ALLOW_HOST']).toBe('billing-sim');
    expect(services['app']?.environment?.['BILLING_URL']).toBe(`http://billing-sim:${exposed[0]}/api/v1`);
  });
});

describe('the Dockerfile', () => {
  test('sets options of start', () => {
    const own = Object.keys(environment).filter((name) => name.startsWith('BILLING_SIM_'));
    expect(own.filter((name) => !variables.has(name))).toEqual([]);
    expect(environment['BILLING_SIM_PORT']).toBe(exposed[0]);
  });

  test('runs its command without a shell, so that it gets SIGTERM', () => {
    const commands = [dockerfile.getENTRYPOINTs(), dockerfile.getCMDs()].flat();
    expect(commands.map((command) => jsonOf(command.getRawArgumentsContent() ?? '').value)).toEqual([
      ['node', 'dist/cli.js'],
      ['start'],
    ]);
  });

  test('has a health check', () => {
    expect(dockerfile.getHEALTHCHECKs()).toHaveLength(1);
  });

  test('is read from a folder that has what it copies', () => {
    const listed = readFileSync(join(root, '.dockerignore'), 'utf8').match(/^!.+$/gm) ?? [];
    expect(listed.map((line) => line.slice(1)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
