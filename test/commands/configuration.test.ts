import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addContractOptions, type ContractFlags } from '../../src/commands/contract/contract-flags.js';
import { createFullProgram } from '../../src/commands/program.js';
import { readConfigFile } from '../../src/commands/support/config-file.js';
import { addConfigurationSources, checkConfigFile, configuredValue } from '../../src/commands/support/configuration.js';
import { runCli, runCliWith, startSimulatorInProcess } from '../support/cli.js';
import { inFolder } from '../support/in-folder.js';
import { tempFolder } from '../support/temp-folder.js';

/** Parses the options of `contract` from a command line, environment variables and a configuration file. */
async function parseContractFlags(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  config?: object,
): Promise<ContractFlags> {
  const originalEnv = process.env;
  process.env = env;
  try {
    const program = new Command().exitOverride();
    const command = addContractOptions(new Command('contract'))
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .action(() => undefined);
    program.addCommand(command);
    addConfigurationSources(
      program,
      config === undefined ? undefined : { path: '/etc/sim.yaml', settings: { contract: config } },
    );
    await program.parseAsync(['contract', ...words], { from: 'user' });
    return command.opts<ContractFlags>();
  } finally {
    process.env = originalEnv;
  }
}

/** Writes a configuration file, and returns its path. */
function writeConfigFile(text: string, name = 'billing-sim.config.yaml', folder = tempFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Sets environment variables for the rest of the test. */
function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Runs a command with an invalid configuration file, and returns what it prints on stderr. */
async function runWithInvalidConfig(path: string): Promise<string> {
  const { code, stdout, stderr } = await runCli('agenda', '--config', path, '--url', 'http://127.0.0.1:1');
  expect([code, stdout]).toEqual([2, '']);
  return stderr.trim();
}

test('`start` requires the control token that BILLING_SIM_CONTROL_TOKEN sets', async () => {
  setVariables({ BILLING_SIM_CONTROL_TOKEN: 'open-sesame' });
  const { ready } = await startSimulatorInProcess('--memory');
  expect((await fetch(`${ready.url}/_sim/accounts`)).status).toBe(401);
  const headers = { Authorization: 'Bearer open-sesame' };
  expect((await fetch(`${ready.url}/_sim/accounts`, { headers })).status).toBe(200);
});

describe('every option', () => {
  test('has an environment variable, which the help shows', async () => {
    const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];
    const optionsByVariable = new Map<string, string>();
    for (const command of withSubcommands(await createFullProgram())) {
      const help = command.createHelp();
      for (const option of help.visibleOptions(command)) {
        if (['--help', '--version'].includes(option.long ?? '') || option.negate) continue;
        const description = help.optionDescription(option);
        const [, name = ''] = /\(env: (BILLING_SIM_[A-Z_]+)/.exec(description) ?? [];
        expect(name, `${command.name()} ${option.flags}`).not.toBe('');
        // Two commands share a variable only if they have the same option.
        expect(optionsByVariable.get(name) ?? option.long).toBe(option.long);
        optionsByVariable.set(name, option.long ?? '');
      }
    }
  });

  test.each([
    ['start', '--allow-host', 'BILLING_SIM_ALLOW_HOST'],
    ['start', '--json', 'BILLING_SIM_JSON'],
    ['proxy', '--port', 'BILLING_SIM_PROXY_PORT'],
    ['data check', '--data', 'BILLING_SIM_DATA'],
    ['fault add', '--operation', 'BILLING_SIM_FAULT_ADD_OPERATION'],
    ['contract', '--token', 'BILLING_SIM_CONTRACT_TOKEN, BILLING_TOKEN'],
    ['clock advance', '--url', 'BILLING_SIM_URL'],
  ])('of the command %s, the option %s has the environment variable %s', async (path, flag, variable) => {
    const { stdout } = await runCli(...path.split(' '), '--help');
    const optionTexts = stdout.split(/^ {2}--/m).map((text) => text.replace(/\s+/g, ' '));
    expect(optionTexts.find((text) => text.startsWith(`${flag.slice(2)} `))).toContain(`env: ${variable})`);
  });
});

describe('an environment variable', () => {
  test.each<[env: NodeJS.ProcessEnv, flags: object]>([
    [{ BILLING_SIM_CONTRACT_STRICT: 'true' }, { strict: true }],
    [{ BILLING_SIM_CONTRACT_STRICT: '1' }, { strict: true }],
    [{ BILLING_SIM_CONTRACT_STRICT: 'false' }, { strict: undefined }],
    [{ BILLING_SIM_CONTRACT_STRICT: '0' }, { strict: undefined }],
    [{ BILLING_SIM_CONTRACT_WRITE: 'false' }, { write: false }],
    [{ BILLING_SIM_CONTRACT_PACE: '30' }, { pace: 30 }],
    [{ BILLING_SIM_CONTRACT_ONLY: 'HOOK, INV-STATS' }, { only: ['HOOK', 'INV-STATS'] }],
    [{ BILLING_TOKEN: 'shared' }, { token: 'shared' }],
    [{ BILLING_TOKEN: 'shared', BILLING_SIM_CONTRACT_TOKEN: 'own' }, { token: 'own' }],
    [{ BILLING_TOKEN: '' }, { token: undefined }],
  ])('%j sets the options %j', async (env, flags) => {
    expect({ token: undefined, strict: undefined, ...(await parseContractFlags([], env)) }).toMatchObject(flags);
  });

  test.each([
    [
      { BILLING_SIM_URL: 'here' },
      'BILLING_SIM_URL: `here` is not valid; expected a URL that begins with http:// or https://, or a local host and port',
    ],
    [{ BILLING_SIM_URL: '' }, 'BILLING_SIM_URL: is empty; give it a value or unset it'],
    [{ BILLING_SIM_ACCOUNT: '' }, 'BILLING_SIM_ACCOUNT: is empty; give it a value or unset it'],
    [{ BILLING_SIM_JSON: 'yes' }, 'BILLING_SIM_JSON: expected true, false, 1 or 0, not `yes`'],
    [
      { BILLING_SIM_AGENDA_LIMIT: '0' },
      'BILLING_SIM_AGENDA_LIMIT: `0` is not valid; expected a whole number from 1 to 10,000',
    ],
  ])('%j is refused', async (env, problem) => {
    expect(await runCliWith(env, 'agenda')).toEqual({ code: 2, stdout: '', stderr: `error: variable ${problem}\n` });
  });

  test('with an empty item in a list is refused', async () => {
    const env = { BILLING_SIM_SCENARIO: 'a.yaml, ' };
    expect(await runCliWith(env, 'start', '--memory', '--port', '0')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: variable BILLING_SIM_SCENARIO: has an empty item; remove the comma next to it\n',
    });
  });
});

describe('conflicting options are reported by the names of', () => {
  test('their variables', async () => {
    expect(await runCliWith({ BILLING_SIM_DATA: 'folder', BILLING_SIM_MEMORY: '1' }, 'start')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: variable BILLING_SIM_MEMORY: cannot be used with variable BILLING_SIM_DATA\n',
    });
  });

  test('their keys', async () => {
    const path = writeConfigFile('data: folder\nstart: {memory: true}');
    expect(await runCli('start', '--config', path)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${path}: \`start.memory\`: cannot be used with \`data\`\n`,
    });
  });

  test('their flags', async () => {
    expect(await runCli('start', '--data', 'folder', '--memory')).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: option '--data <folder>' cannot be used with option '--memory'\n",
    });
  });
});

test.each(['variable', 'file'])('a switch that a variable turns off does not conflict with a %s', async (source) => {
  const folder = join(tempFolder(), 'data');
  const config = writeConfigFile(source === 'file' ? `data: ${folder}` : '');
  const env = { BILLING_SIM_MEMORY: '0', ...(source === 'variable' ? { BILLING_SIM_DATA: folder } : {}) };
  setVariables(env);
  const { end } = await startSimulatorInProcess('--config', config);
  await end();
  expect(await runCli('data', 'check', '--data', folder)).toMatchObject({ code: 0 });
});

test.each([
  ['--memory', '--data', (folder: string) => `data: ${folder}`, () => ({ BILLING_SIM_MEMORY: '1' }), false],
  ['--data', '--memory', () => 'start: {memory: true}', (folder: string) => ({ BILLING_SIM_DATA: folder }), true],
])(
  'a variable for %s overrides a file with the conflicting option %s',
  async (_option, _other, config, env, isStored) => {
    const folder = join(tempFolder(), 'data');
    setVariables(env(folder));
    const { end } = await startSimulatorInProcess('--config', writeConfigFile(config(folder)));
    await end();
    expect(existsSync(folder)).toBe(isStored);
  },
);

test('a flag overrides a variable, a variable a file, and a file the default', async () => {
  const config = { token: 'file', 'read-token': 'file', 'write-token': 'file', pace: 10, write: true, strict: true };
  const env = { BILLING_TOKEN: 'variable', BILLING_READ_TOKEN: 'variable', BILLING_SIM_CONTRACT_STRICT: 'false' };
  expect(await parseContractFlags(['--token', 'flag', '--no-write'], env, config)).toMatchObject({
    token: 'flag',
    readToken: 'variable',
    writeToken: 'file',
    pace: 10,
    timeout: 10_000,
    write: false,
    strict: undefined,
  });
});

test('the values of a repeatable option replace the values from a source of lower precedence', async () => {
  const config = { only: ['INV'], driver: 'lib/driver.mjs', json: '-' };
  expect(await parseContractFlags([], { BILLING_SIM_CONTRACT_ONLY: 'HOOK' }, config)).toMatchObject({
    only: ['HOOK'],
    driver: '/etc/lib/driver.mjs',
    json: '-',
  });
  expect(await parseContractFlags([], {}, { only: 'HOOK' })).toMatchObject({ only: ['HOOK'] });
});

test.each(['report', 'report.json'])('the report file %s is in the folder of the configuration file', async (json) => {
  expect(await parseContractFlags([], {}, { json })).toMatchObject({ json: `/etc/${json}` });
});

describe('a configuration file', () => {
  test.each([
    ['billing-sim.config.yaml', 'start:\n  memory: true\n  allow-host: [build-7, ci]\ncontrol-token: sesame\n'],
    [
      'billing-sim.config.json',
      '{"start": {"memory": true, "allow-host": ["build-7", "ci"]}, "control-token": "sesame"}',
    ],
    [
      'billing-sim.config.mjs',
      'export default { start: { memory: true, allowHost: ["build-7", "ci"] }, controlToken: "sesame" };',
    ],
  ])('%s is found in the working directory, and configures `start`', async (name, text) => {
    const folder = tempFolder();
    writeConfigFile(text, name, folder);
    const { ready } = await inFolder(folder, () => startSimulatorInProcess());
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${ready.url}/_sim/accounts`, { headers })).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ Authorization: 'Bearer sesame' })).toBe(200);
  });

  test('is overridden by a flag that conflicts with one of its options', async () => {
    const folder = tempFolder();
    const path = writeConfigFile('start: {memory: true}', 'other.yaml', folder);
    const { output, end } = await startSimulatorInProcess('--config', path, '--data', join(folder, 'data'));
    await end();
    expect(output.stderr).toBe('');
    expect(await runCli('data', 'check', '--data', join(folder, 'data'))).toMatchObject({ code: 0 });
  });

  test.each([
    ['a misspelled key', 'strat: {}', 'unknown key `strat`; did you mean `start`?'],
    [
      'a misspelled key in a section',
      'start: {alow-host: a}',
      'unknown key `start.alow-host`; did you mean `allow-host`?',
    ],
    [
      'a key outside its section',
      'base-url: http://a',
      'unknown key `base-url`; it belongs in the section `contract`, `calibrate` or `compare`',
    ],
    ['an invalid value', 'proxy: {port: 99999}', '`proxy.port`: `99999` is not valid; expected a port from 0 to 65535'],
    [
      'an invalid shared value',
      'url: here',
      '`url`: `here` is not valid; expected a URL that begins with http:// or https://, or a local host and port',
    ],
    ['a string for a switch', 'start: {memory: "yes"}', '`start.memory`: must be true or false'],
    ['a mapping for a string', 'control-token: {a: b}', '`control-token`: must be a string or a number'],
    ['an array for an option that takes one value', 'start: {port: [1]}', '`start.port`: must be a string or a number'],
    ['an option that cannot be configured', 'contract: {list: true}', 'unknown key `contract.list`; available: '],
    ['an empty path', "contract: {driver: ''}", '`contract.driver`: is empty; give it a value or leave it out'],
    ['an empty item', "start: {allow-host: ['']}", '`start.allow-host`: is empty; give it a value or leave it out'],
    ['a number in place of a section', 'start: 1', '`start`: must be a mapping of options'],
    ['an array in place of sections', '- start', 'must be a mapping of sections'],
    [
      'a key in both forms',
      'start: {allowHost: [a.b], allow-host: [c.d]}',
      '`start.allow-host`: is given twice, with hyphens and in camel case; keep only one of them',
    ],
    ['a tag', 'control-token: !secret sesame', 'Unresolved tag: !secret at line 1, column 16'],
    ['invalid YAML', 'start: [', 'Flow sequence in block collection must be'],
  ])('with %s is refused', async (_name, text, problem) => {
    const path = writeConfigFile(text);
    expect(await runWithInvalidConfig(path)).toContain(`error: ${path}: ${problem}`);
  });

  test('that is not valid YAML is not quoted, since it may contain a token', async () => {
    const path = writeConfigFile('control-token: "open-sesame');
    expect(await runWithInvalidConfig(path)).toBe(`error: ${path}: Missing closing "quote at line 1, column 28`);
  });

  test('that is not UTF-8 is refused', async () => {
    const path = writeConfigFile('');
    writeFileSync(path, '\uFEFFstart: { memory: true }', 'utf16le');
    expect(await runWithInvalidConfig(path)).toBe(`error: ${path}: the file is not UTF-8`);
  });

  test('is refused if it does not exist, or if two formats of it exist', async () => {
    expect(await runWithInvalidConfig('/no/such.yaml')).toBe('error: /no/such.yaml: no such file; check the path');
    expect(await runWithInvalidConfig('/no/such.mjs')).toBe('error: /no/such.mjs: no such file; check the path');
    const folder = tempFolder();
    writeConfigFile('', 'billing-sim.config.yaml', folder);
    writeConfigFile('{}', 'billing-sim.config.json', folder);
    await expect(inFolder(folder, () => startSimulatorInProcess())).rejects.toThrow(
      'billing-sim.config.json and billing-sim.config.yaml are present; keep only one of them',
    );
  });

  test.each(['yml', 'js', 'cjs', 'ts'])(
    'is refused if its name ends with .%s, rather than ignored',
    async (extension) => {
      const folder = tempFolder();
      writeConfigFile('', `billing-sim.config.${extension}`, folder);
      await expect(inFolder(folder, () => startSimulatorInProcess())).rejects.toThrow(
        `billing-sim.config.${extension} is not read; use billing-sim.config.json, .yaml or .mjs, or name another file with --config`,
      );
    },
  );

  test('that is a module whose code cannot read a file is refused with the error of that code', async () => {
    const code =
      "import { readFileSync } from 'node:fs'; export default { start: { port: readFileSync('secret.txt') } };";
    const path = writeConfigFile(code, 'a.mjs');
    expect(await runWithInvalidConfig(path)).toBe(
      `error: ${path}: ENOENT: no such file or directory, open 'secret.txt'`,
    );
  });

  test('that is a module without a default export is refused', async () => {
    const path = writeConfigFile('export const start = {};', 'a.mjs');
    expect(await runWithInvalidConfig(path)).toBe(`error: ${path}: must have an object as its default export`);
  });

  test('may list several events for `listen`, separated by commas, which its schema accepts, too', async () => {
    const schema = JSON.parse(readFileSync('openapi/config.schema.json', 'utf8'));
    const file = await readConfigFile(writeConfigFile("listen: { events: 'deposit.failed, payment.succeeded' }"));
    if (file) checkConfigFile(file, await createFullProgram());
    const isValid = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    expect(isValid(file?.settings)).toBe(true);
    expect(isValid({ listen: { events: 'deposit.failed, deposit.gone' } })).toBe(false);
  });

  test.each([
    [
      'billing-sim.config.yaml',
      'control-token: 00042\nstart: { webhook-secret: 12345678901234567890123, random-seed: 1e3, port: 0 }',
      '00042',
    ],
    [
      'billing-sim.config.json',
      '{"control-token": 42.0, "start": {"webhook-secret": 12345678901234567890123, "random-seed": 1e3, "port": 0}}',
      '42.0',
    ],
  ])('%s sets numbers as they are written', async (name, text, controlToken) => {
    const file = await readConfigFile(writeConfigFile(text, name));
    expect(file?.settings).toEqual({
      'control-token': controlToken,
      start: { 'webhook-secret': '12345678901234567890123', 'random-seed': '1e3', port: '0' },
    });
    if (file) checkConfigFile(file, await createFullProgram());
  });

  test.each([
    ['start', 'data', 'demo', '/etc/demo'],
    ['start', 'profile', 'file', '/etc/file'],
    ['start', 'seed', 'demo', 'demo'],
    ['start', 'seed', 'empty', 'empty'],
    ['start', 'seed', 'dmo', 'dmo'],
    ['start', 'seed', './demo', '/etc/demo'],
    ['start', 'seed', 'seeds/demo', '/etc/seeds/demo'],
    ['contract', 'driver', 'empty', '/etc/empty'],
    ['contract', 'html', '-', '/etc/-'],
    ['contract', 'json', '-', '-'],
  ])('whose section %s sets %s to `%s` means `%s`', async (section, name, text, value) => {
    const command = (await createFullProgram()).commands.find((each) => each.name() === section);
    const option = command?.options.find((each) => each.name() === name);
    const file = { path: '/etc/sim.yaml', settings: { [section]: { [name]: text } } };
    expect(command && option && configuredValue(command, option, file)).toBe(value);
  });

  test('can list the events to print, each with others separated by commas', async () => {
    const config = writeConfigFile('listen: { events: [deposit.failed, "deposit.captured, deposit.released"] }');
    const file = await readConfigFile(config);
    const program = await createFullProgram();
    if (file) checkConfigFile(file, program);
    const command = program.commands.find((each) => each.name() === 'listen');
    const option = command?.options.find((each) => each.name() === 'events');
    expect(command && option && configuredValue(command, option, file)).toEqual([
      'deposit.failed',
      'deposit.captured',
      'deposit.released',
    ]);
  });

  test('with an empty list leaves the default of the option', async () => {
    const config = writeConfigFile('start: { memory: true, scenario: [], cors: [], allow-host: [] }');
    const { ready } = await startSimulatorInProcess('--config', config);
    expect(ready).toMatchObject({ account: 'demo' });
    expect(await parseContractFlags([], {}, { only: [] })).toEqual(await parseContractFlags([], {}));
  });

  test('that is empty changes nothing', async () => {
    const file = await readConfigFile(writeConfigFile('# none'));
    expect(file?.settings).toEqual({});
    if (file) checkConfigFile(file, await createFullProgram());
  });

  test.each([
    ['agenda', '--help'],
    ['help', 'agenda'],
    ['account', 'help', 'create'],
  ])('does not prevent `%s %s`, even if it is invalid', async (...words) => {
    expect(await runCli(...words, '--config', writeConfigFile('strat: {}'))).toMatchObject({ code: 0, stderr: '' });
  });

  test('is read by a command with a `help` argument', async () => {
    const { stderr } = await runCli('account', 'create', 'help', '--config', '/no/such.yaml');
    expect(stderr).toContain('/no/such.yaml');
  });
});

describe('errors are printed as JSON if the `json` option is set by', () => {
  test.each([
    ['a variable', { BILLING_SIM_JSON: '1' }, 'agenda', ''],
    ['a variable that contains the name of the command', { BILLING_SIM_CONTRACT_JSON: '-' }, 'contract', ''],
    ['a configuration file', {}, 'agenda', 'json: true'],
    ['a section of a configuration file', {}, 'agenda', 'agenda: {json: true}'],
    ['a section of a configuration file, as standard output', {}, 'contract', 'contract: {json: "-"}'],
  ])('%s', async (_name, env, command, config) => {
    const { stderr } = await runCliWith(
      env,
      command,
      '--config',
      writeConfigFile(`url: http://127.0.0.1:1\n${config}`),
    );
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: expect.any(String) } });
  });

  test.each([
    ['cannot be parsed', 'start: [', 'Flow sequence'],
    ['has an unknown key', 'strat: {}', 'unknown key `strat`'],
  ])('a variable, also if the configuration file %s', async (_problem, config, message) => {
    const { code, stderr } = await runCliWith({ BILLING_SIM_JSON: '1' }, 'agenda', '--config', writeConfigFile(config));
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error.message).toContain(message);
  });

  test.each([
    ['a variable', { BILLING_SIM_CONTRACT_JSON: '-' }, []],
    ['an option', {}, ['--json', '-']],
  ])('%s of a command, as standard output, also if the configuration file is invalid', async (_name, env, flags) => {
    const { stderr } = await runCliWith(env, 'contract', ...flags, '--config', writeConfigFile('start: ['));
    expect(JSON.parse(stderr).error.message).toContain('Flow sequence');
  });

  test('nothing else: not by the path of a report file, if the configuration file is invalid', async () => {
    const path = writeConfigFile('start: [');
    const { stderr } = await runCliWith({}, 'contract', '--json', 'report.json', '--config', path);
    expect(stderr).toMatch(/^error: .*Flow sequence/);
  });

  test('nothing else: not by a variable that is 0, nor by the path of a report file', async () => {
    const path = writeConfigFile('json: true\ncontract: {json: report.json}');
    const { stderr } = await runCliWith({ BILLING_SIM_JSON: '0' }, 'contract', '--config', path);
    expect(stderr).toMatch(/^error: no target/);
  });
});
