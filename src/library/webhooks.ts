import { performance } from 'node:perf_hooks';
import { type EffectName, isForged } from '../domain/faults.js';
import { type Attempt, type Delivery, type EventName, eventNames, type Subject } from '../domain/records.js';
import { didYouMean } from '../lib/did-you-mean.js';
import { integerOrText } from '../lib/integer-or-text.js';
import { parseJson } from '../lib/json.js';
import { describeValue, requireKnownOptions } from '../lib/known-options.js';
import { quote } from '../lib/messages.js';
import { UserError } from '../lib/user-error.js';
import type { Account } from '../simulation/account.js';
import { maxAdvanceTimeoutMs } from '../simulation/agenda/schedule.js';
import { deliveryStatus, getDelivery, resendDelivery } from '../simulation/delivery/deliveries.js';
import { resourceName, subjectName } from '../text/format.js';
import { headersOf } from '../webhooks/message-headers.js';
import type { Actions } from './actions.js';
import { readTimeout, requireId } from './check-options.js';

/** A webhook message as receivers get it, unless a fault changes it. */
export interface Webhook {
  /** Id of the event, the same in every attempt. */
  readonly id: string;
  readonly event: EventName;
  /**
   * Headers of the latest attempt that no fault forged; before the first attempt, those that would be sent now.
   * Includes the signature, in `X-Service-Signature` unless the profile names another header.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body, which is signed. */
  readonly body: string;
  /** The parsed body: a `WebhookPayload`, unless the account's profile gives it other fields. */
  readonly payload: unknown;
  /**
   * `unsent`: no webhook URL was set. `waiting`: not attempted yet. `retrying`: failed and due again. `delivered`:
   * answered with 2xx. `failed`: not attempted again.
   */
  readonly status: ReturnType<typeof deliveryStatus>;
  /** Fault effects that apply when the message is first sent. */
  readonly faults: readonly EffectName[];
  readonly attempts: readonly (Pick<Attempt, 'status' | 'error' | 'at' | 'by'> & {
    /** Fault effects that were applied to the message. */
    readonly applied_faults: readonly EffectName[];
  })[];
}

/** Less than the default test timeout of vitest and Jest, 5 seconds, so that a failed test names the missing event. */
const defaultTimeoutMs = 3_000;

/** Maximum number of webhooks that the error of `next` names. */
const maxListedWebhooks = 10;

/** How long `webhooks.next` and `webhooks.settled` wait. */
export interface WaitOptions {
  /** Real milliseconds to wait; default: 3,000. `webhooks.settled` waits at most 600,000. */
  readonly timeout?: number;
}

/** Options of `webhooks.next`. If several records are given, the message must be about all of them. */
export interface NextOptions extends WaitOptions {
  /** Id of a deposit: waits for a message about it, and skips those about others. */
  readonly deposit?: number | string;
  /** The same for messages about this payment. */
  readonly payment?: number | string;
  /** The same for messages about payments of this payment link. */
  readonly paymentLink?: number | string;
  /** The same for messages about payments of this invoice. */
  readonly invoice?: number | string;
}

/** Options of `webhooks.next` that name a record, with the kind of the record. */
const recordOptions = [
  ['deposit', 'deposit'],
  ['payment', 'payment'],
  ['paymentLink', 'payment_link'],
  ['invoice', 'invoice'],
] as const satisfies readonly (readonly [keyof NextOptions, Subject['resource']])[];

/** Webhooks of an account, recorded whether or not a URL receives them. */
export interface Webhooks {
  /** Sets the webhook URL, such as `localhost:3000/webhooks` (null for none), and the secret. Omitted settings stay. */
  configure(settings: { readonly url?: string | null; readonly secret?: string }): Promise<void>;
  /**
   * Waits for the next message of an event, about a given record or any, and skips messages that it has already
   * returned. Works without a webhook URL or a receiver.
   * @throws Error if none arrives in time, or if the account is removed or the simulator closed meanwhile; RangeError
   * for an unknown event, or an invalid timeout
   */
  next(event: EventName, options?: NextOptions): Promise<Webhook>;
  /**
   * Waits until the receiver has responded to every message that is due, including messages that its own requests cause
   * meanwhile. Failed messages are due again later: advance the clock to their retries.
   * @throws Error that names the messages still being sent after the timeout; RangeError for an invalid timeout
   */
  settled(options?: WaitOptions): Promise<void>;
  /** All messages so far, oldest first. */
  all(): Promise<Webhook[]>;
  /** Sends a message again. @throws ServiceError delivery-not-found; webhook-url-missing, if no webhook URL is set */
  resend(id: string): Promise<Webhook>;
}

const settingNames: Readonly<Record<keyof Parameters<Webhooks['configure']>[0], true>> = { url: true, secret: true };

/**
 * Creates the object through which tests configure and read the webhooks of an account.
 * @param currentAccount returns the account, which is a new object after each reset
 */
export function webhooksOf(
  currentAccount: () => Account,
  { read, act, call }: Pick<Actions, 'read' | 'act' | 'call'>,
): Webhooks {
  // Contains deliveries instead of their ids, since ids may be reused after a reset.
  const returned = new WeakSet<Delivery>();

  return {
    async configure(settings) {
      requireKnownOptions(settings, settingNames);
      const { url, secret } = settings;
      const body = { webhook_url: url, webhook_secret: secret };
      await call('changeSettings', { body, names: { webhook_url: 'url', webhook_secret: 'secret' } });
    },
    async next(event, options = {}) {
      const timeout = readTimeout(options, defaultTimeoutMs, { otherOptions: Object.fromEntries(recordOptions) });
      const records = readRecords(options);
      // Plain JavaScript can pass an unknown event, which never arrives.
      const name: string = typeof event === 'string' ? event : describeValue(event);
      if (!eventNames.some((known) => known === name))
        throw new RangeError(`unknown event ${quote(name)}${didYouMean(name, eventNames)}`);
      const unrelated = records.find(({ resource }) => (resource === 'deposit') !== name.startsWith('deposit.'));
      if (unrelated) throw new UserError(`${name} is never about a ${resourceName(unrelated.resource)}`);
      const findMessage = (): Delivery | undefined => {
        const account = currentAccount();
        return account.deliveries.rows.find(
          (row) => row.event === event && !returned.has(row) && isAbout(account, row, records),
        );
      };
      const deadline = performance.now() + timeout;
      while (await hasArrivedBy(event, deadline, currentAccount, () => findMessage() !== undefined)) {
        // If its commit cannot be stored, the message disappears.
        await currentAccount().whenStoredOrUndone();
        const delivery = findMessage();
        // If another caller took the message, or it has disappeared, the wait continues.
        if (!delivery) continue;
        returned.add(delivery);
        return webhookOf(currentAccount(), delivery);
      }
      const unreturned = currentAccount()
        .deliveries.rows.filter((row) => !returned.has(row))
        .map((row) => `${row.event} for ${subjectName(row.subject)}`);
      const earlierCount = Math.max(0, unreturned.length - maxListedWebhooks);
      const earlier = earlierCount === 0 ? '' : `${earlierCount} earlier ones, `;
      const latest = unreturned.slice(-maxListedWebhooks).join(', ');
      const others = unreturned.length === 0 ? 'nothing else arrived' : `received instead: ${earlier}${latest}`;
      const clockHint = currentAccount().clock.isFrozen ? '; the clock is frozen: advance it to run what is due' : '';
      const missing = [event, ...records.map((record) => `for ${subjectName(record)}`)].join(' ');
      throw new Error(`no ${missing} within ${timeout} ms; ${others}${clockHint}`);
    },
    async settled(options = {}) {
      const timeout = readTimeout(options, defaultTimeoutMs, { maxMs: maxAdvanceTimeoutMs });
      // Not an action of the user, so the activity log does not show it.
      const { in_progress } = await read(({ schedule }) =>
        schedule.advance({ by: 0, timeoutMs: timeout, waitsForMails: false }),
      );
      // The list also has the emails that are being sent, such as `email 3`.
      const unfinished = in_progress.filter((id) => !id.startsWith('email '));
      if (unfinished.length === 0) return;
      const { deliveries } = currentAccount();
      // A message that was removed meanwhile has no event.
      const names = unfinished.map((id) => `${deliveries.get(id)?.event ?? ''} ${id}`.trim());
      throw new Error(`still being sent after ${timeout} ms: ${names.join(', ')}`);
    },
    async all() {
      const account = currentAccount();
      await account.whenStored();
      return account.deliveries.rows.map((delivery) => webhookOf(account, delivery));
    },
    // Does not call the control API's operation, since building a Webhook from its response would need a lookup by id:
    // after a reset, another message of the new account could have the id.
    resend: (id) =>
      act('resendDelivery', async (account, logDetails) => {
        const { id: deliveryId, event } = getDelivery(account, requireId(id));
        logDetails(`${event} ${deliveryId}`);
        return webhookOf(account, await resendDelivery(account, deliveryId));
      }),
  };
}

/** Reads the records that options of `webhooks.next` name. @throws UserError for an id that is neither number nor string */
function readRecords(options: NextOptions): Subject[] {
  return recordOptions.flatMap(([name, resource]) => {
    // An undefined id is a mistake of the caller: without it, messages about any record would match.
    if (!Object.hasOwn(options, name)) return [];
    return [{ resource, id: integerOrText(String(requireId(options[name]))) }];
  });
}

/** Returns true if a message is about all the records: its subject or, for a payment, what the payment pays. */
function isAbout({ payments }: Account, { subject }: Delivery, records: readonly Subject[]): boolean {
  const payment = subject.resource === 'payment' ? payments.get(subject.id) : undefined;
  return records.every(({ resource, id }) => {
    if (resource === 'payment_link') return payment?.payment_link_id === id;
    if (resource === 'invoice') return payment?.invoice_id === id;
    return subject.resource === resource && subject.id === id;
  });
}

/**
 * Waits until `hasArrived` returns true, or until the deadline. Follows the account when a reset or restore replaces
 * it.
 * @param deadline on the clock of `performance`
 * @returns false if the deadline has passed
 * @throws Error if the account is removed or the simulator closed
 */
async function hasArrivedBy(
  event: EventName,
  deadline: number,
  currentAccount: () => Account,
  hasArrived: () => boolean,
): Promise<boolean> {
  while (!hasArrived()) {
    const account = currentAccount();
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    await waitForEventOrClose(account, event, remainingMs);
  }
  return true;
}

/** Waits until an event occurs, until the account is closed or replaced, or until the timeout. */
function waitForEventOrClose(account: Account, event: EventName, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    // The caller looks for the message afterwards, once for all events of one transaction or turn: that reads all rows.
    const stopWatching = account.watch((step) => {
      if (step.kind === 'event' && step.event === event) finish();
    });
    const stopWaitingForClose = account.onClose(finish);
    const cancelTimer = account.ports.clock.setTimer(timeoutMs, finish);
    function finish(): void {
      cancelTimer();
      stopWatching();
      stopWaitingForClose();
      resolve();
    }
  });
}

function webhookOf(account: Account, delivery: Delivery): Webhook {
  const { id, event, body, faults = [] } = delivery;
  const { webhook_secret: secret } = account.record;
  const storedAttempts = account.attemptsOfDelivery.all(id);
  const attempts = storedAttempts.map(({ status, error, at, by, applied_faults = [] }) => ({
    status,
    error,
    at,
    by,
    applied_faults,
  }));
  return {
    id,
    event,
    body,
    headers: sentHeaders(storedAttempts) ?? headersOf({ event, body, secret, profile: account.profile }),
    payload: parseJson(body),
    status: deliveryStatus(account, delivery),
    faults: faults.flatMap(({ effects }) => effects.map(({ name }) => name)),
    attempts,
  };
}

/** Headers of the latest attempt that was sent and that no fault forged; undefined if there is none. */
function sentHeaders(attempts: readonly Attempt[]): Webhook['headers'] | undefined {
  const sent = attempts.findLast(
    ({ headers, applied_faults }) => Object.keys(headers).length > 0 && !isForged(applied_faults),
  );
  if (!sent) return undefined;
  // Content-Length is left out, since users may send the headers with a changed body.
  const { 'Content-Length': _length, ...headers } = sent.headers;
  return headers;
}
