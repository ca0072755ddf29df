import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { readWaivers } from '../../src/contract/engine/waivers.js';
import { tempFolder } from '../support/temp-folder.js';

const known = ['INV-STATS-01', 'INV-STATS-02'];
const good = { clause: 'INV-STATS-01', reason: 'known since May', until: '2027-01-31' };

function waiversOf(text: string): unknown {
  const file = join(tempFolder(), 'waivers.yaml');
  writeFileSync(file, text);
  try {
    return readWaivers(file, known);
  } catch (error) {
    if (error instanceof CannotRun) return error.message.replace(file, 'FILE');
    throw error;
  }
}

describe('waivers', () => {
  test.each([
    ['of YAML', '- clause: INV-STATS-01\n  reason: known since May\n  until: 2027-01-31\n', [good]],
    [
      'of JSON',
      JSON.stringify([good, { ...good, clause: 'INV-STATS-02' }]),
      [good, { ...good, clause: 'INV-STATS-02' }],
    ],
    ['of nothing', '# none\n', []],
    [
      'of no list',
      'clause: INV-STATS-01\n',
      'the waivers FILE: it must be a list of entries with clause, reason and until',
    ],
    ['of texts', '- INV-STATS-01\n', 'the waivers FILE: entry 1: it must have clause, reason and until'],
    [
      'without a reason',
      JSON.stringify([{ ...good, reason: ' ' }]),
      'the waivers FILE: entry 1: `reason` must not be empty',
    ],
    [
      'without an end',
      JSON.stringify([{ ...good, until: undefined }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'until no day',
      JSON.stringify([{ ...good, until: '2027-02-30' }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'of no clause',
      JSON.stringify([good, { ...good, clause: 'INV-STATS-99' }]),
      'the waivers FILE: entry 2: unknown clause INV-STATS-99; see --list',
    ],
    [
      'with a slip',
      JSON.stringify([{ ...good, untli: 'x' }]),
      'the waivers FILE: entry 1: unknown key `untli`; the keys are clause, reason and until',
    ],
    ['of one clause twice', JSON.stringify([good, good]), 'the waivers FILE: INV-STATS-01 is waived twice'],
  ])('%s', (_what, text, outcome) => {
    expect(waiversOf(text)).toEqual(outcome);
  });

  test.each([
    ['of no YAML', '- clause: [', /^the waivers FILE: .+$/],
    ['with a tag', '!!js/function "x"', /^the waivers FILE: .+$/],
  ])('%s are reported in one line', (_what, text, complaint) => {
    expect(waiversOf(text)).toMatch(complaint);
  });

  test('of a missing file', () => {
    expect(() => readWaivers('/no/such/waivers.yaml', known)).toThrow(
      new CannotRun(
        "the waivers /no/such/waivers.yaml: ENOENT: no such file or directory, open '/no/such/waivers.yaml'",
      ),
    );
  });
});
