import { describe, expect, test, vi } from 'vitest';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit } from '../../src/simulation/operations/deposits.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { injectFault } from './webhook-faults.js';
import {
  addDeposit,
  advanceBy,
  attemptSeconds,
  attemptsOf,
  firstRetryDelayMs,
  longerThanRetriesMs,
  nextAttemptSeconds,
  onlyDelivery,
  openWebhookAccount,
  receiversResponding,
  receiverUrl,
  sendDueMessages,
  silentReceivers,
  startMs,
  statusOfOnlyDelivery,
  withWebhooks,
} from './webhooks.js';
import { emptyWorld, openAccount } from './world.js';

/** Tests of the attempts to send a webhook message: scheduled retries, manual resends and faults. */

/** Time of an attempt, in seconds after `startMs`. */
const secondsOf = ({ at }: { readonly at: string }): number => (Date.parse(at) - startMs) / 1_000;

describe('a message whose attempt fails', () => {
  test('is retried seven times, on the schedule, and then its delivery fails', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500) });
    addDeposit(account);
    const { steps } = await advanceBy(account, longerThanRetriesMs);
    const attempts = steps.flatMap((step) => (step.kind === 'attempt' ? [step] : []));
    expect(attempts.map(secondsOf)).toEqual(attemptSeconds);
    expect(attempts.at(-1)).toMatchObject({ number: 8, next_attempt_at: null });
    expect(statusOfOnlyDelivery(account)).toBe('failed');
    expect(new Set(receivers.sent.map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    ['no response', null],
    ['a 302', 302],
    ['a 404', 404],
    ['a 500', 500],
  ])('with %s is retried until a response has a 2xx status', async (_response, status) => {
    const { account } = await openWebhookAccount({ receivers: receiversResponding(status, status, 299) });
    addDeposit(account);
    await sendDueMessages(account);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['retrying', 5]);
    await advanceBy(account, firstRetryDelayMs);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['retrying', 305]);
    await advanceBy(account, longerThanRetriesMs);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['delivered', undefined]);
    expect(attemptsOf(account)).toHaveLength(3);
  });

  test('has attempts with different numbers, even if a repair of damaged data has lost one of them', async () => {
    const { account, world } = await openWebhookAccount({ receivers: receiversResponding(500) });
    addDeposit(account);
    await advanceBy(account, firstRetryDelayMs);
    const { attempts = [], ...others } = account.contents();
    const repaired = world.accounts.replace(account, { ...others, attempts: attempts.slice(1) });
    await advanceBy(repaired, longerThanRetriesMs);
    expect(attemptsOf(repaired).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('with a 410 is not retried', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 410) });
    addDeposit(account);
    await advanceBy(account, longerThanRetriesMs);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['failed', undefined]);
    expect(receivers.sent).toHaveLength(2);
  });

  test.each([
    ['seconds', '600', 600],
    ['fewer seconds than the schedule waits', '1', 5],
    ['a date', 'Wed, 01 Apr 2026 09:30:00 GMT', 5_400],
    ['a date in the past', 'Wed, 01 Apr 2026 07:00:00 GMT', 5],
    ['more than a day', '86401', 86_400],
    ['a date more than a day ahead', 'Thu, 01 Apr 2027 08:00:00 GMT', 86_400],
    ['not a valid value', 'soon', 5],
  ])('is retried at the time of Retry-After, within limits: %s', async (_value, retryAfter, seconds) => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? { status: 503, retryAfter } : {}));
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    await sendDueMessages(account);
    expect(nextAttemptSeconds(account)).toBe(seconds);
    await advanceBy(account, seconds * 1_000 - 1);
    expect(receivers.sent).toHaveLength(1);
    await advanceBy(account, 1);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOfOnlyDelivery(account)).toBe('delivered');
  });

  test('is not lost if the clock is advanced while its attempt is being stored', async () => {
    const { account, store, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await sendDueMessages(account);
    store.holdCommits();
    receivers.at(0).respond({ status: 500 });
    await sendDueMessages(account);
    account.schedule.freezeAt(startMs + firstRetryDelayMs);
    await sendDueMessages(account);
    store.storeHeldCommits();
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(2);
  });
});

describe('an internal error', () => {
  const bug = new Error('a bug');
  const reject = () => Promise.reject(bug);

  test.each([
    ['while faults are applied', { applyMessageFaults: reject, sendWebhook: new ScriptedReceivers().send }],
    ['while a message is sent', { sendWebhook: vi.fn(new ScriptedReceivers().send).mockImplementationOnce(reject) }],
  ])('%s is reported, and counts as a failed attempt, after which the message is retried', async (_when, ports) => {
    const failures: unknown[] = [];
    const world = await emptyWorld(undefined, { ...ports, onFailure: (error) => failures.push(error) });
    const account = withWebhooks(world, openAccount(world, 'one'));
    injectFault(account, 'duplicate', { times: 1 });
    addDeposit(account);
    await sendDueMessages(account);
    expect(failures).toEqual([bug]);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['retrying', 5]);
    await advanceBy(account, firstRetryDelayMs);
    expect(attemptsOf(account)).toMatchObject([
      { by: 'schedule', status: null, error: 'internal simulator error: a bug' },
      { by: 'schedule', status: 200, error: null },
    ]);
  });

  test('while a message is resent is reported, and counts as a failed attempt', async () => {
    const failures: unknown[] = [];
    const sendWebhook = vi.fn(new ScriptedReceivers().send);
    const world = await emptyWorld(undefined, { sendWebhook, onFailure: (error) => failures.push(error) });
    const account = withWebhooks(world, openAccount(world, 'one'));
    addDeposit(account);
    await sendDueMessages(account);
    sendWebhook.mockImplementationOnce(reject);
    await resendDelivery(account, onlyDelivery(account).id);
    expect(failures).toEqual([bug]);
    expect(attemptsOf(account)).toMatchObject([
      { by: 'schedule', status: 200 },
      { by: 'manual', status: null, error: 'internal simulator error: a bug' },
    ]);
  });
});

describe('a resend', () => {
  test('of a delivered message sends it once more', async () => {
    const { account, receivers } = await openWebhookAccount();
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    expect(attemptsOf(account)).toMatchObject([
      { number: 1, by: 'schedule', status: 200, next_attempt_at: null },
      { number: 2, by: 'manual', status: 200, next_attempt_at: null },
    ]);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(nextAttemptSeconds(account)).toBeUndefined();
  });

  test('of a delivered message leaves it delivered, even if the resend fails', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(200, 500) });
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOfOnlyDelivery(account)).toBe('delivered');
  });

  test.each([
    [500, 'failed'],
    [200, 'delivered'],
  ])('of a failed message is a single attempt: a %i makes the message %s', async (status, expected) => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(410, status) });
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOfOnlyDelivery(account)).toBe(expected);
  });

  test('that fails does not change the schedule of a retrying message', async () => {
    const { account } = await openWebhookAccount({ receivers: receiversResponding(500) });
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    await resendDelivery(account, onlyDelivery(account).id);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['retrying', 5]);
    await advanceBy(account, longerThanRetriesMs);
    // The schedule makes as many attempts as without resends.
    expect(attemptsOf(account).map((attempt) => [attempt.by, secondsOf(attempt)])).toEqual([
      ['schedule', 0],
      ['manual', 0],
      ['manual', 0],
      ...attemptSeconds.slice(1).map((seconds) => ['schedule', seconds]),
    ]);
  });

  test('that succeeds ends the retries of a message', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 200) });
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['delivered', undefined]);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
  });

  test('that succeeds replaces the first attempt of a message that waits for an earlier message', async () => {
    // The earlier message gets its response only when the test calls `respond`.
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? undefined : {}));
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    const [, waiting] = account.deliveries.rows;
    await resendDelivery(account, waiting?.id ?? '');
    receivers.at(0).respond({});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
    expect(account.isIdle).toBe(true);
  });

  test('that fails does not replace the first attempt of a message that waits for an earlier message', async () => {
    // The earlier message gets its response only when the test calls `respond`.
    const receivers = new ScriptedReceivers((_message, index) =>
      index === 0 ? undefined : { status: index === 1 ? 500 : 200 },
    );
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    const [, waiting] = account.deliveries.rows;
    await resendDelivery(account, waiting?.id ?? '');
    expect(attemptsOf(account)).toMatchObject([{ by: 'manual', status: 500 }]);
    receivers.at(0).respond({});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.authorized']);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  test('that succeeds during an attempt prevents retries if the attempt fails', async () => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? undefined : {}));
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    await sendDueMessages(account);
    await resendDelivery(account, onlyDelivery(account).id);
    receivers.at(0).respond({ status: 500 });
    await sendDueMessages(account);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['delivered', undefined]);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
  });

  test('of an unsent message sends it if a URL has been set since', async () => {
    const { world, account, receivers } = await openWebhookAccount({
      webhookUrl: null,
      receivers: receiversResponding(500, 200),
    });
    addDeposit(account);
    const { id } = onlyDelivery(account);
    await expect(resendDelivery(account, id)).rejects.toMatchObject({ code: 'webhook-url-missing' });
    expect(statusOfOnlyDelivery(account)).toBe('unsent');
    world.accounts.configure(account, { webhookUrl: receiverUrl });
    await resendDelivery(account, id);
    expect(statusOfOnlyDelivery(account)).toBe('failed');
    await resendDelivery(account, id);
    expect(statusOfOnlyDelivery(account)).toBe('delivered');
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
  });

  test('of an unknown message is refused', async () => {
    const { account, receivers } = await openWebhookAccount();
    await expect(resendDelivery(account, 'evt_unknown')).rejects.toMatchObject({ code: 'delivery-not-found' });
    expect(receivers.sent).toEqual([]);
  });

  test('whose outcome cannot be stored fails with an error, and is not recorded', async () => {
    const { account, store } = await openWebhookAccount();
    addDeposit(account);
    await sendDueMessages(account);
    store.rejectsCommits = true;
    await expect(resendDelivery(account, onlyDelivery(account).id)).rejects.toMatchObject({ code: 'not-stored' });
    expect(attemptsOf(account)).toHaveLength(1);
  });
});

describe('a fault with the `receiver-fails` effect', () => {
  test('fails exactly as many attempts as its limit allows, even if 16 run concurrently', async () => {
    const { account, receivers } = await openWebhookAccount();
    const fault = injectFault(account, 'receiver-fails', { times: 5 });
    for (let number = 0; number < 16; number++) addDeposit(account, `BK-${number}`);
    await sendDueMessages(account);
    expect(attemptsOf(account).map(({ status }) => status)).toEqual(
      Array.from({ length: 16 }, (_, index) => (index < 5 ? 503 : 200)),
    );
    expect(receivers.sent).toHaveLength(11);
    // A fault that is used up counts no more matches.
    expect(account.faults.rows).toEqual([{ ...fault, times_matched: 5, times_fired: 5 }]);
  });

  test('is followed by the next fault once it is used up', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'receiver-fails', { times: 1 });
    injectFault(account, 'receiver-fails=410', { times: 1 });
    addDeposit(account);
    await advanceBy(account, longerThanRetriesMs);
    expect(
      attemptsOf(account).map(({ status, response_body, applied_faults }) => [status, response_body, applied_faults]),
    ).toEqual([
      [503, 'This response was injected by a fault. The receiver did not get the message.', ['receiver-fails']],
      [410, 'This response was injected by a fault. The receiver did not get the message.', ['receiver-fails']],
    ]);
    expect(receivers.sent).toEqual([]);
  });

  test('applies only to matching events', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'receiver-fails=500', { match: { event: 'deposit.auth*' } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(attemptsOf(account).map(({ status }) => status)).toEqual([200, 500]);
  });

  test('does not fire for an attempt that sends nothing because the webhook URL has been removed', async () => {
    const { world, account } = await openWebhookAccount();
    const fault = injectFault(account, 'receiver-fails', { times: 1 });
    addDeposit(account);
    world.accounts.configure(account, { webhookUrl: null });
    await sendDueMessages(account);
    expect(attemptsOf(account)).toMatchObject([{ status: null, error: 'no webhook URL is set' }]);
    expect(account.faults.rows).toEqual([fault]);
  });

  test('does not count an attempt that could not be stored', async () => {
    const { account, store } = await openWebhookAccount();
    const fault = injectFault(account, 'receiver-fails');
    addDeposit(account);
    await account.whenStored();
    store.rejectsCommits = true;
    await sendDueMessages(account);
    expect(account.faults.rows).toEqual([fault]);
  });
});
