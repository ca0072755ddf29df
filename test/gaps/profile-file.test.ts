import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';

/** Tests of `billing-sim start --profile FILE`. */

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'billing-sim-profile-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function startWith(file: string): string[] {
  return ['start', '--memory', '--port', '0', '--profile', join(folder, file)];
}

describe('a start with an invalid profile file exits with code 2 and a one-line message:', () => {
  test.each([
    ['gap.yaml', 'list.ordr: oldest-first', 'gap.yaml:1: unknown gap `list.ordr`; did you mean `list.order`?'],
    [
      'choice.yaml',
      'list.order: newest',
      'choice.yaml:1: list.order has no choice `newest`; did you mean `newest-first`? Available: `newest-first`, `oldest-first`',
    ],
    [
      'duration.json',
      '{"deposit.window": {"for": "soon"}}',
      'duration.json:1: deposit.window: `for` takes a value (write {for: …}); "soon" is not a duration such as 8d, 2h 30m or P8D',
    ],
    [
      'value.yaml',
      'list.order: newest-first\ndeposit.release-when:\n  answers:\n    otherwise: 422\n    again: 409\n',
      'value.yaml:5: deposit.release-when: `answers` takes a value (write {answers: …}); {"otherwise":422,"again":409} is not valid: again: must be `refused` or `accepted`, not the number 409',
    ],
    [
      'list.yaml',
      '- list.order',
      'list.yaml:1: a profile must map gaps to choices, for example `list.order: oldest-first`',
    ],
    ['empty.yaml', '', 'empty.yaml:1: a profile must map gaps to choices, for example `list.order: oldest-first`'],
  ])('%s', async (file, text, message) => {
    writeFileSync(join(folder, file), text);
    expect(await runCli(...startWith(file))).toEqual({ code: 2, stdout: '', stderr: `error: ${folder}/${message}\n` });
  });

  test.each([
    ['broken.yaml', 'list.order: {newest-first', 'cannot parse'],
    ['broken.json', '{"list.order": ', 'cannot parse'],
    ['twice.yaml', 'list.order: newest-first\nlist.order: oldest-first', 'cannot parse'],
    ['missing.yaml', undefined, 'cannot read'],
  ])('%s', async (file, text, reason) => {
    if (text !== undefined) writeFileSync(join(folder, file), text);
    const { code, stdout, stderr } = await runCli(...startWith(file));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(`${reason} ${join(folder, file)}`);
  });
});

test('a start with a valid profile file changes the behavior of the simulator', async () => {
  writeFileSync(join(folder, 'good.yaml'), '# without quotes\nvalidation.status: 400\nlist.order: oldest-first\n');
  const child = spawn(process.execPath, [cli, ...startWith('good.yaml'), '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const firstLine = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).once('line', resolve);
      child.once('exit', (code) => reject(new Error(`the simulator exited with code ${code}`)));
    });
    const ready: unknown = JSON.parse(firstLine);
    if (typeof ready !== 'object' || ready === null || !('baseUrl' in ready))
      throw new Error(`not ready: ${firstLine}`);
    const headers = { Authorization: 'Bearer demo_full' };
    const refused = await fetch(`${ready.baseUrl}/invoices?per_page=0`, { headers });
    expect(refused.status).toBe(400);
    const listed = await fetch(`${ready.baseUrl}/invoices?per_page=1`, { headers });
    expect(await listed.json()).toMatchObject({ data: { data: [{ id: 7 }] } });
  } finally {
    child.kill();
    await exited;
  }
});
