import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { readWaivers } from '../../src/contract/engine/waivers.js';
import { tempFolder } from '../support/temp-folder.js';

const clauseIds = ['INV-STATS-01', 'INV-STATS-02'];
const validWaiver = { clause: 'INV-STATS-01', reason: 'known since May', until: '2027-01-31' };

/** Reads waivers from a text, and returns them or the error message. */
function readWaiversFrom(text: string): unknown {
  const file = join(tempFolder(), 'waivers.yaml');
  writeFileSync(file, text);
  try {
    return readWaivers(file, clauseIds);
  } catch (error) {
    if (error instanceof CannotRun) return error.message.replace(file, 'FILE');
    throw error;
  }
}

describe('waivers', () => {
  test.each([
    ['in YAML', '- clause: INV-STATS-01\n  reason: known since May\n  until: 2027-01-31\n', [validWaiver]],
    [
      'in JSON',
      JSON.stringify([validWaiver, { ...validWaiver, clause: 'INV-STATS-02' }]),
      [validWaiver, { ...validWaiver, clause: 'INV-STATS-02' }],
    ],
    ['of an empty file', '# none\n', []],
    [
      'that are not a list',
      'clause: INV-STATS-01\n',
      'the waivers FILE: it must be a list of entries with clause, reason and until',
    ],
    ['that are strings', '- INV-STATS-01\n', 'the waivers FILE: entry 1: it must have clause, reason and until'],
    [
      'without a reason',
      JSON.stringify([{ ...validWaiver, reason: ' ' }]),
      'the waivers FILE: entry 1: `reason` must not be empty',
    ],
    [
      'without an end date',
      JSON.stringify([{ ...validWaiver, until: undefined }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'with an impossible end date',
      JSON.stringify([{ ...validWaiver, until: '2027-02-30' }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'for an unknown clause',
      JSON.stringify([validWaiver, { ...validWaiver, clause: 'INV-STATS-99' }]),
      'the waivers FILE: entry 2: unknown clause INV-STATS-99; see --list',
    ],
    [
      'with an unknown key',
      JSON.stringify([{ ...validWaiver, untli: 'x' }]),
      'the waivers FILE: entry 1: unknown key `untli`; the keys are clause, reason and until',
    ],
    [
      'for the same clause twice',
      JSON.stringify([validWaiver, validWaiver]),
      'the waivers FILE: INV-STATS-01 is waived twice',
    ],
  ])('%s', (_what, text, outcome) => {
    expect(readWaiversFrom(text)).toEqual(outcome);
  });

  test.each([
    ['with invalid YAML', '- clause: [', /^the waivers FILE: .+$/],
    ['with a tag', '!!js/function "x"', /^the waivers FILE: .+$/],
  ])('%s are reported in one line', (_what, text, expectedMessage) => {
    expect(readWaiversFrom(text)).toMatch(expectedMessage);
  });

  test('in a file that does not exist', () => {
    expect(() => readWaivers('/no/such/waivers.yaml', clauseIds)).toThrow(
      new CannotRun(
        "the waivers /no/such/waivers.yaml: ENOENT: no such file or directory, open '/no/such/waivers.yaml'",
      ),
    );
  });
});
