import { expect, test } from 'vitest';
import { whenAborted } from '../../src/lib/when-aborted.js';

test('waits until the signal is aborted', async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const waiting = whenAborted(controller.signal).then(() => seen.push('aborted'));
  await Promise.resolve();
  seen.push('waiting');
  controller.abort();
  await waiting;
  expect(seen).toEqual(['waiting', 'aborted']);
});

test('does not wait for a signal that is aborted already', async () => {
  await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
});
