import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWaivers } from '../../src/commands/contract/read-waivers.js';
import { UserError } from '../../src/lib/user-error.js';
import { tempFolder } from '../support/temp-folder.js';

const clauseIds = ['INV-STATS-01', 'INV-STATS-02'];
const validWaiver = { clause: 'INV-STATS-01', reason: 'known since May', until: '2027-01-31' };

/** Reads waivers from a text, and returns them or the error message. */
async function readWaiversFrom(text: string): Promise<unknown> {
  const file = join(tempFolder(), 'waivers.yaml');
  writeFileSync(file, text);
  try {
    return await readWaivers(file, clauseIds);
  } catch (error) {
    if (error instanceof UserError) return error.message.replace(file, 'FILE');
    throw error;
  }
}

describe('a waivers file', () => {
  test.each([
    ['in YAML is read', '- clause: INV-STATS-01\n  reason: known since May\n  until: 2027-01-31\n', [validWaiver]],
    [
      'in JSON is read',
      JSON.stringify([validWaiver, { ...validWaiver, clause: 'INV-STATS-02' }]),
      [validWaiver, { ...validWaiver, clause: 'INV-STATS-02' }],
    ],
    ['without entries is read', '# none\n', []],
    [
      'with a byte order mark and Windows line ends is read',
      '\ufeff- clause: INV-STATS-01\r\n  reason: known since May\r\n  until: 2027-01-31\r\n',
      [validWaiver],
    ],
    [
      'that is not a list is rejected',
      'clause: INV-STATS-01\n',
      'the waivers FILE: it must be a list of entries with clause, reason and until',
    ],
    [
      'with a string as an entry is rejected',
      '- INV-STATS-01\n',
      'the waivers FILE: entry 1: it must have clause, reason and until',
    ],
    [
      'with an entry without a reason is rejected',
      JSON.stringify([{ ...validWaiver, reason: ' ' }]),
      'the waivers FILE: entry 1: `reason` must be a string that is not empty; put a number in quotes',
    ],
    [
      'with a number as the reason is rejected',
      '- clause: INV-STATS-01\n  reason: 1234\n  until: 2027-01-31\n',
      'the waivers FILE: entry 1: `reason` must be a string that is not empty; put a number in quotes',
    ],
    [
      'with an entry without an end date is rejected',
      JSON.stringify([{ ...validWaiver, until: undefined }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'with an impossible end date is rejected',
      JSON.stringify([{ ...validWaiver, until: '2027-02-30' }]),
      'the waivers FILE: entry 1: `until` must be a date, such as 2027-01-31',
    ],
    [
      'with an unknown clause is rejected',
      JSON.stringify([validWaiver, { ...validWaiver, clause: 'INV-STATS-99' }]),
      'the waivers FILE: entry 2: unknown clause INV-STATS-99; see --list',
    ],
    [
      'with an unknown key is rejected',
      JSON.stringify([{ ...validWaiver, untli: 'x' }]),
      'the waivers FILE: entry 1: unknown key `untli`; the keys are clause, reason and until',
    ],
    [
      'with two entries for the same clause is rejected',
      JSON.stringify([validWaiver, validWaiver]),
      'the waivers FILE: INV-STATS-01 is waived twice',
    ],
  ])('%s', async (_title, text, waiversOrMessage) => {
    expect(await readWaiversFrom(text)).toEqual(waiversOrMessage);
  });

  test.each([
    ['with invalid YAML', '- clause: [', /^cannot parse FILE: .+$/],
    ['with a YAML tag', '- clause: !ruby/symbol INV-STATS-01', /^cannot parse FILE: Unresolved tag: !ruby\/symbol .+$/],
  ])('%s is rejected with a message of one line', async (_title, text, expectedMessage) => {
    expect(await readWaiversFrom(text)).toMatch(expectedMessage);
  });

  test('that does not exist is rejected', async () => {
    await expect(readWaivers('/no/such/waivers.yaml', clauseIds)).rejects.toThrow(
      /^cannot read \/no\/such\/waivers\.yaml: no such file; check the path$/,
    );
  });
});
