import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { testCards } from '../src/domain/test-cards.js';
import { type Simulator, startSimulator } from '../src/index.js';
import { resolveProfile } from '../src/openapi/profile.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');

/** The blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

/** Commands with what they print, in order: they follow on each other. */
const commands = blocks('console').flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    }),
);

/** Dates and times are relative to the day on which a command runs, and so are the ids of events; requests are counted, and timed. */
function undated(text: string): string {
  return text
    .trim()
    .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\+00:00| \d\d:\d\d:\d\d)?/g, 'DATE')
    .replace(/evt_[0-9a-f]{24}/g, 'EVENT')
    .replace(/req_\d+/g, 'REQUEST')
    .replace(/in \d+ requests and .+/, 'in REQUESTS');
}

async function sh(command: string, url = 'http://127.0.0.1:4010'): Promise<string> {
  const env = { ...process.env, BILLING_SIM_URL: url };
  const run = promisify(execFile)('sh', ['-c', `${command} 2>&1`], { cwd: root, env });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  return stdout;
}

interface Terminal {
  shown(): string;
  /** Interrupts the command. @returns its exit code */
  close(): Promise<number | null>;
}

/** Runs a command that goes on until it is interrupted, and waits until it says so. */
async function openTerminal(command: string, url: string): Promise<Terminal> {
  const [program = '', ...args] = command.split(' ');
  const env = { ...process.env, BILLING_SIM_URL: url };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  let shown = '';
  await new Promise<void>((resolve, reject) => {
    void ended.then(() => reject(new Error(`${command} has ended`)));
    child.stdout.on('data', (data) => {
      shown += data;
      if (shown.includes('Ctrl-C')) resolve();
    });
  });
  return {
    shown: () => shown,
    close: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** The command that runs in another terminal. */
function commandOf(terminal: string): string {
  const [command = ''] = blocks(`console ${terminal}`);
  return command.replace('$ ', '').trim();
}

describe('README', () => {
  let simulator: Simulator;
  let secondTerminal: Terminal;
  let thirdTerminal: Terminal;
  /** The addresses as they are here. */
  const here = (text: string): string =>
    text
      .replaceAll('http://127.0.0.1:4010', simulator.url)
      .replaceAll('http://127.0.0.1:4011', () => /^(\S+)\/api\/v1 leads/.exec(thirdTerminal.shown())?.[1] ?? '');
  beforeAll(async () => {
    simulator = await startSimulator();
    [secondTerminal, thirdTerminal] = await Promise.all([
      openTerminal(commandOf('second-terminal'), simulator.url),
      openTerminal(`${here(commandOf('third-terminal'))} --port 0`, simulator.url),
    ]);
  });
  afterAll(async () => {
    await Promise.all([secondTerminal.close(), thirdTerminal.close()]);
    await simulator.close();
  });

  test('has the commands that a newcomer needs', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  test.each(commands)('$command', async ({ command, output }) => {
    expect(undated(await sh(here(command), simulator.url))).toBe(undated(here(output)));
  });

  test.each(blocks('text second-terminal'))('what the second terminal shows: %s', async (shown) => {
    await expect.poll(() => undated(secondTerminal.shown()), { timeout: 20_000 }).toContain(undated(shown));
  });

  test.each(blocks('text third-terminal'))('what the third terminal shows: %s, and nothing else', async (shown) => {
    const said = (): string => undated(thirdTerminal.shown().split('\n\n')[1] ?? '');
    await expect.poll(said, { timeout: 20_000 }).toBe(undated(shown));
    expect(await thirdTerminal.close()).toBe(1);
  });

  test.each(blocks('js'))('the program %#', async (program) => {
    const [, expected] = /\/\/ (\d.*)$/m.exec(program) ?? [];
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
    });
    expect(stdout.trim()).toBe(expected);
  });

  test.each(blocks('yaml'))('the profile %#', (profile) => {
    expect(resolveProfile(parse(profile))).toMatchObject({ 'decimal.encoding': 'string', 'validation.status': '400' });
  });

  test('lists the test cards that there are', () => {
    const listed = [...readme.matchAll(/^\| (\d{4} \d{4} \d{4} \d{4}) /gm)].map(([, number]) => number);
    expect(listed).toEqual(testCards.map(({ number }) => number));
  });

  test('names only files that exist', () => {
    for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(() => readFileSync(`${root}/${target}`), target).not.toThrow(/ENOENT/);
    }
  });

  test('names only scripts and flags that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    const table = readme.slice(readme.indexOf('## Everyday use'), readme.indexOf('### Choose'));
    const start = await sh('node dist/cli.js start --help');
    const check = async (row: string): Promise<void> => {
      let help = start;
      for (const [, words = ''] of row.matchAll(/`billing-sim ([a-z-]+(?: [a-z]+(?=[ `]))?)/g)) {
        const own = await sh(`node dist/cli.js ${words.replace(/^--help$/, '')} --help`);
        expect(own).toContain(`Usage: billing-sim ${words.replace('--help', '[options]').split(' ')[0]}`);
        help += own;
      }
      for (const [flag] of row.matchAll(/(?<=[ `])--[a-z][a-z-]+/g)) expect(help).toContain(`${flag} `);
    };
    await Promise.all(table.split('\n').map(check));
  });
});
