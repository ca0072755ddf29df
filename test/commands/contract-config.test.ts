import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { applyConfig } from '../../src/commands/contract/contract-config.js';
import { addContractOptions, type ContractFlags } from '../../src/commands/contract/contract-flags.js';
import { CommandError } from '../../src/commands/support/command-error.js';
import { tempFolder } from '../support/temp-folder.js';

afterEach(() => vi.unstubAllEnvs());

/** The flags that come of a command line and a configuration. */
function flagsOf(words: readonly string[], config?: string, folder = tempFolder()): ContractFlags {
  const command = addContractOptions(new Command('contract'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  command.parse(words, { from: 'user' });
  if (config !== undefined) {
    const file = join(folder, 'contract.yaml');
    writeFileSync(file, config);
    applyConfig(command, file);
  }
  return command.opts<ContractFlags>();
}

const usual = { pace: 'auto', timeout: 10_000 };

test.each<[what: string, config: string, flags: object]>([
  ['nothing', '# none', {}],
  [
    'texts',
    'base-url: https://billing.example/api/v1/\ntoken: abc',
    { baseUrl: 'https://billing.example/api/v1', token: 'abc' },
  ],
  ['JSON', '{"customer-id": 7, "webhook-port": 0}', { customerId: 7, webhookPort: 0 }],
  ['a number that is a token', 'token: 12345678', { token: '12345678' }],
  ['switches', 'write: true\nstrict: true', { write: true, strict: true }],
  ['a switch that is off', 'write: false', { write: false }],
  [
    'a list',
    'only: [INV-STATS, INV-LIST-01]\ninclude: [rate-limit]',
    { only: ['INV-STATS', 'INV-LIST-01'], include: ['rate-limit'] },
  ],
  ['one of a list', 'only: INV-STATS\ninclude: rate-limit', { only: ['INV-STATS'], include: ['rate-limit'] }],
  ['a pace', 'pace: 30\ntimeout: 1m', { pace: 30, timeout: 60_000 }],
  ['another pace', 'pace: off\ntimeout: 500ms', { pace: 'off', timeout: 500 }],
  ['no driver', 'driver: none\njson: "-"', { driver: 'none', json: '-' }],
])('a configuration has %s', (_what, config, flags) => {
  expect(flagsOf([], config)).toEqual({ ...usual, ...flags });
});

test('paths in a configuration are relative to the configuration file', () => {
  const folder = tempFolder();
  expect(flagsOf([], 'driver: lib/driver.mjs\nwaivers: w.yaml\nhtml: out/r.html\njunit: /tmp/r.xml', folder)).toEqual({
    ...usual,
    driver: join(folder, 'lib/driver.mjs'),
    waivers: join(folder, 'w.yaml'),
    html: join(folder, 'out/r.html'),
    junit: '/tmp/r.xml',
  });
});

test('flags override environment variables, which override a configuration', () => {
  vi.stubEnv('BILLING_TOKEN', 'of the environment');
  vi.stubEnv('BILLING_READ_TOKEN', 'of the environment');
  const config = 'token: of the file\nread-token: of the file\nwrite-token: of the file\npace: 10\nwrite: true';
  expect(flagsOf(['--token', 'typed', '--pace', '20', '--no-write'], config)).toMatchObject({
    token: 'typed',
    readToken: 'of the environment',
    writeToken: 'of the file',
    pace: 20,
    write: false,
  });
});

test('an empty environment variable counts as not set', () => {
  vi.stubEnv('BILLING_TOKEN', '');
  vi.stubEnv('BILLING_BASE_URL', '');
  expect(flagsOf([], 'token: of the file')).toEqual({ ...usual, token: 'of the file' });
});

describe('a configuration is refused', () => {
  test.each([
    ['with a slip', 'base-ulr: http://a.example', 'unknown key `base-ulr`; did you mean `base-url`?'],
    ['with what is only typed', 'list: true', 'unknown key `list`; '],
    [
      'with an address that is none',
      'base-url: billing.example',
      '`base-url`: expected a URL that begins with http:// or https://',
    ],
    ['with a pace that is none', 'pace: 0', '`pace`: expected auto, off or a number of requests per minute'],
    ['with a span that is none', 'timeout: 11m', '`timeout`: expected a duration of up to 10m, for example 30s'],
    ['with an unknown check', 'include: [chaos]', '`include`: expected rate-limit'],
    ['with a text for a switch', 'write: "yes"', '`write`: must be true or false'],
    ['with a mapping for a text', 'token: {a: b}', '`token`: must be a string or a number'],
    ['with a list for a text', 'token: [a]', '`token`: must be a string or a number'],
    ['that is a list', '- token', 'must be a mapping of options'],
    ['that is no YAML', 'token: [', 'Flow sequence in block collection must be'],
  ])('%s', (_what, config, complaint) => {
    const folder = tempFolder();
    const read = (): unknown => flagsOf([], config, folder);
    expect(read).toThrow(CommandError);
    expect(read).toThrow(`configuration ${join(folder, 'contract.yaml')}: ${complaint}`);
  });

  test('that does not exist', () => {
    const command = addContractOptions(new Command('contract'));
    expect(() => applyConfig(command, '/no/such/contract.yaml')).toThrow(
      'configuration /no/such/contract.yaml: ENOENT: no such file or directory',
    );
  });
});

describe('an option is refused', () => {
  test.each([
    [['--base-url', 'billing.example'], 'expected a URL that begins with http:// or https://'],
    [['--pace', 'fast'], 'expected auto, off or a number of requests per minute'],
    [['--timeout', '10'], 'expected a duration of up to 1,000 years, for example 8d, 2h 30m or P8D'],
    [['--timeout', '1d'], 'expected a duration of up to 10m, for example 30s'],
    [['--customer-id', 'Ada'], 'expected a number'],
    [['--webhook-port', '65536'], 'expected a port from 0 to 65535'],
    [['--include', 'chaos'], 'expected rate-limit'],
    [['--colour'], "unknown option '--colour'"],
  ])('%j', (words, complaint) => {
    expect(() => flagsOf(words)).toThrow(complaint);
  });
});
