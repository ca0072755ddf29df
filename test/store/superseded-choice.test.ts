import { expect, test } from 'vitest';
import type { Commit } from '../../src/simulation/state/changes.js';
import { inspectFolder } from '../../src/store/inspect-folder.js';
import { JournalWriter, journalLine } from '../../src/store/journal.js';
import { tempFolder } from '../support/temp-folder.js';
import { accountRecord } from './open-store.js';

/** A commit that gives the account a choice, which may no longer exist. */
function commitWith(choice: string): Commit {
  const profile = JSON.parse(`{"list.order":"${choice}"}`);
  return { account: 'demo', changes: { account: [{ ...accountRecord, id: 'demo', profile }] }, mode: 'merge' };
}

test.each([
  { choices: ['oldest-first', 'sideways'], problemCount: 1 },
  { choices: ['sideways', 'oldest-first'], problemCount: 0 },
  { choices: ['sideways', 'sideways'], problemCount: 1 },
])(
  'a folder whose account had the choices $choices, one after the other, has $problemCount problems',
  async ({ choices, problemCount }) => {
    const folder = tempFolder();
    const journal = new JournalWriter(folder, 1, 1, 'os');
    const lines = choices.map((choice, index) => journalLine(index + 1, commitWith(choice)));
    await journal.append(lines.join(''), () => undefined);
    journal.close();
    const { problems } = await inspectFolder(folder);
    expect(problems.map(({ message }) => message)).toEqual(
      new Array(problemCount).fill(expect.stringMatching(/^account demo: .*list\.order has no choice `sideways`/)),
    );
  },
);
