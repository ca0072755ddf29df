import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, startSimulatorInProcess } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';

/** Tests of `billing-sim start --profile FILE`. */

const startWith = (path: string) => runCli('start', '--memory', '--port', '0', '--profile', path);

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
    const folder = tempFolder();
    writeFileSync(join(folder, file), text);
    expect(await startWith(join(folder, file))).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${folder}/${message}\n`,
    });
  });

  test.each([
    ['broken.yaml', 'list.order: {newest-first', 'cannot parse'],
    ['broken.json', '{"list.order": ', 'cannot parse'],
    ['twice.yaml', 'list.order: newest-first\nlist.order: oldest-first', 'cannot parse'],
    ['missing.yaml', undefined, 'cannot read'],
  ])('%s', async (file, text, reason) => {
    const path = join(tempFolder(), file);
    if (text !== undefined) writeFileSync(path, text);
    const { code, stdout, stderr } = await startWith(path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(`${reason} ${path}`);
  });
});

test('a start with a valid profile file changes the behavior of the simulator', async () => {
  const path = join(tempFolder(), 'good.yaml');
  writeFileSync(path, '# without quotes\nvalidation.status: 400\nlist.order: oldest-first\n');
  const { ready } = await startSimulatorInProcess('--memory', '--profile', path);
  const client = clientOf(ready.baseUrl);
  const refused = await client.GET('/invoices', { params: { query: { per_page: 0 } } });
  expect(refused.response.status).toBe(400);
  const { data } = await client.GET('/invoices', { params: { query: { per_page: 1 } } });
  expect(data?.data.data).toMatchObject([{ id: 7 }]);
});
