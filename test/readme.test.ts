import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveProfile } from '../src/http/profile.js';
import { type Simulator, startSimulator } from '../src/index.js';

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

/** Dates and times are relative to the day on which a command runs. */
function undated(text: string): string {
  return text.trim().replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\+00:00)?/g, 'DATE');
}

async function sh(command: string): Promise<string> {
  const run = promisify(execFile)('sh', ['-c', `${command} 2>&1`], { cwd: root });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  return stdout;
}

describe('README', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.close());

  test('has the commands that a newcomer needs', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  test.each(commands)('$command', async ({ command, output }) => {
    const here = (text: string): string => text.replaceAll('http://127.0.0.1:4010', simulator.url);
    expect(undated(await sh(here(command)))).toBe(undated(here(output)));
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

  test('names only files that exist', () => {
    for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(() => readFileSync(`${root}/${target}`), target).not.toThrow(/ENOENT/);
    }
  });

  test('names only scripts and flags that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    const help = await sh('node dist/cli.js start --help');
    const table = readme.slice(readme.indexOf('## Everyday use'), readme.indexOf('### Choose'));
    for (const [flag] of table.matchAll(/(?<=[ `])--[a-z][a-z-]+/g)) {
      if (flag !== '--help' && flag !== '--invoices') expect(help).toContain(` ${flag}`);
    }
  });
});
