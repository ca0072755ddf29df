import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { withCurrentNames } from '../../src/store/renamed-fields.js';
import { tempFolder } from '../support/temp-folder.js';
import { editFile } from './damaged-folder.js';

test.each([
  [
    'attempts',
    { id: 'evt_1/1', answer: 'ok', next_at: null, done: ['delay'], undone: [] },
    { id: 'evt_1/1', response_body: 'ok', next_attempt_at: null, applied_faults: ['delay'], skipped_faults: [] },
  ],
  ['attempts', { id: 'evt_1/2', by: 'hand' }, { id: 'evt_1/2', by: 'manual' }],
  [
    'deliveries',
    { id: 'evt_2', held: { from: '', until: '' }, releases: ['evt_1'] },
    { id: 'evt_2', delay: { from: '', until: '' }, overtakes: ['evt_1'] },
  ],
  ['payments', { id: 1, ends: { at: '', cause: 'fail' } }, { id: 1, scheduled_end: { at: '', cause: 'fail' } }],
  ['mails', { id: 1, next_at: null }, { id: 1, next_attempt_at: null }],
  ['runs', { id: 1, played: 2 }, { id: 1, completed_steps: 2 }],
  ['faults', { id: 1, stage: 'call' }, { id: 1, stage: 'request' }],
  ['faults', { id: 1, stage: 'answer' }, { id: 1, stage: 'response' }],
  ['faults', { id: 1, seen: 3, hits: 2 }, { id: 1, times_matched: 3, times_fired: 2 }],
])('former names in a row of %s are replaced: %j', (table, row, current) => {
  expect(withCurrentNames({ [table]: [row] })).toEqual({ [table]: [current] });
});

test('the former name of a table is replaced', () => {
  const rows = [{ id: 'createDeposit key-1' }];
  expect(withCurrentNames({ replays: rows, deposits: [] })).toEqual({ keyed_responses: rows, deposits: [] });
});

test.each<[string, Record<string, unknown>]>([
  ['a row with current names', { attempts: [{ id: 'evt_1/1', response_body: 'ok' }], faults: [{ stage: 'message' }] }],
  ['a row of another table', { deposits: [{ answer: 'ok' }] }],
  ['a row that is not an object', { attempts: ['answer'], faults: [null] }],
  ['a table that is not an array', { runs: { played: 1 } }],
])('%s stays the same', (_case, tables) => {
  expect(withCurrentNames(tables)).toEqual(tables);
});

test('a data folder that was written with former names is read', async () => {
  const options = { data: tempFolder(), log: () => undefined };
  const simulator = await startSimulator(options);
  await simulator.account.faults.add({ effect: 'status=503' });
  await simulator.close();
  editFile(join(options.data, 'db.json'), (text) => text.replace('"stage":"request"', '"stage":"call"'));
  const restarted = await startSimulator(options);
  onTestFinished(() => restarted.close());
  expect((await fetch(`${restarted.baseUrl}/invoices`)).status).toBe(503);
});
