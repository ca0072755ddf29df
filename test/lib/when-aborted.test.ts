import { expect, test } from 'vitest';
import { whenAborted } from '../../src/lib/when-aborted.js';

test('whenAborted waits until the signal is aborted', async () => {
  const controller = new AbortController();
  const events: string[] = [];
  const waiting = whenAborted(controller.signal).then(() => events.push('aborted'));
  await Promise.resolve();
  events.push('waiting');
  controller.abort();
  await waiting;
  expect(events).toEqual(['waiting', 'aborted']);
});

test('whenAborted does not wait for a signal that is aborted already', async () => {
  await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
});
