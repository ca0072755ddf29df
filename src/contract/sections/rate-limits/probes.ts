import { activeProbe, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { millisecondsUntilReset } from '../../engine/pace.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { findLargestAccepted, isAccepted, tryCreateDeposit, tryCreateInvoice, tryCreateLink } from '../attempts.js';
import { operationRequests } from '../authentication/setups.js';
import { allResponses } from '../envelope/setups.js';
import { requireRecord } from '../invoice-creation/setups.js';
import { excess } from './setups.js';

/** Setups that request the list of invoices, by token. */
const listRequests = operationRequests.find(({ operation }) => operation.id === 'listInvoices')?.requestBy;

function headerValue({ headers }: Exchange, name: 'Limit' | 'Remaining' | 'Reset'): string {
  return headers[`x-ratelimit-${name.toLowerCase()}`] ?? '';
}

function remainingRequests(exchange: Exchange): number {
  return Number.parseInt(headerValue(exchange, 'Remaining'), 10);
}

/** Returns the responses so far that show the limit. @throws Skip if none does */
async function responsesWithLimit(context: ClauseContext): Promise<Exchange[]> {
  const found = (await allResponses(context)).filter((exchange) => headerValue(exchange, 'Limit') !== '');
  if (found.length === 0) throw new Skip({ missing: 'X-RateLimit headers', reason: 'no response has them' });
  context.recordEvidence(...found.slice(-1));
  return found;
}

const evidenceHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** Maximum number of attempts to observe how requests are counted. */
const maxAttempts = 3;

/** Number of requests that suffice to distinguish a bucket, which refills, from a window, which does not. */
const seriesLength = 10;

/** Tokens that a bucket regains per second, by its limit: 60 or 100 a minute. */
const refillsPerSecond = [1, 5 / 3];

/** Tolerance in seconds for values in whole seconds. */
const toleranceSeconds = 2;

/** Probes of how a window counts requests. They run first, before other requests use up the window. */
export const windowProbes: readonly Probe[] = [
  activeProbe({
    gap: 'rate.key',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context): Promise<'token'> => {
      const tokens = ['full', 'read', 'full', 'read'] as const;
      let remainingCounts: number[] = [];
      // If a window ends or refills between the requests, the numbers show nothing. The next attempt is in the new
      // window.
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        remainingCounts = [];
        for (const token of tokens)
          remainingCounts.push(remainingRequests(await context.get('/invoices/stats', { token })));
        const [full1 = 0, read1 = 0, full2 = 0, read2 = 0] = remainingCounts;
        if (full1 - read1 === 1 && read1 - full2 === 1 && full2 - read2 === 1) {
          throw new Skip({
            missing: 'a second client',
            reason: 'both tokens share one window, by account or by address',
          });
        }
        if (full1 - full2 === 1 && read1 - read2 === 1) return 'token';
      }
      throw new Blocked(
        `X-RateLimit-Remaining was ${remainingCounts.join(', ')}, which does not show what the window counts by`,
      );
    },
  }),
  activeProbe({
    gap: 'rate.window',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context): Promise<'bucket'> => {
      const responses: Exchange[] = [];
      for (let sent = 0; sent < seriesLength; sent++) responses.push(await context.get('/invoices/stats'));
      const [first, last] = [responses[0], responses.at(-1)];
      if (!first || !last) throw new Error('a series has responses');
      const usedCount = remainingRequests(first) - remainingRequests(last);
      const resetShiftSeconds = (millisecondsUntilReset(last.headers) - millisecondsUntilReset(first.headers)) / 1_000;
      if (!(usedCount >= seriesLength / 2) || Number.isNaN(resetShiftSeconds))
        throw new Blocked('the headers say nothing about the window');
      // The more requests are taken from a bucket, the later it is full again.
      if (refillsPerSecond.some((refill) => Math.abs(resetShiftSeconds - usedCount / refill) <= toleranceSeconds))
        return 'bucket';
      throw new Skip({
        missing: 'more than a minute',
        reason: 'within a minute, a fixed window and a sliding one look the same',
      });
    },
  }),
];

/** Probes of the limit. The probe that exceeds it runs last, since the target then refuses all requests. */
export const rateLimitProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'rate.reset-unit',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context) => {
      const [text] = (await responsesWithLimit(context)).map((exchange) => headerValue(exchange, 'Reset')).slice(-1);
      if (text === undefined || text === '')
        throw new Skip({ missing: 'X-RateLimit-Reset', reason: 'no response has it' });
      const number = Number(text);
      // Seconds since 1970 have ten digits until the year 2286.
      if (number > 1e9 && number < 1e11) return 'epoch-seconds';
      if (number < 1e6) return 'seconds-left';
      return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)) ? 'iso' : new NoMatchingChoice(text);
    },
  }),
  passiveProbe({
    gap: 'rate.burst',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context) => {
      const limits = new Set(
        (await responsesWithLimit(context)).map((exchange) => Number.parseInt(headerValue(exchange, 'Limit'), 10)),
      );
      if (limits.has(100))
        throw new Skip({
          missing: 'a minute of more than 60 requests',
          reason: 'the limit is 100, either always or after a time without requests',
        });
      return [...limits].every((limit) => limit === 60)
        ? 'never'
        : new NoMatchingChoice(`a limit of ${[...limits].join(', ')}`);
    },
  }),
  activeProbe({
    gap: 'rate.unauthenticated',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context) => {
      if (!listRequests) throw new Error('no operation lists invoices');
      const { call } = await context.use(listRequests.unknown);
      const counts: string[] = [];
      // If a window resets between the requests, the next attempt is in the new window.
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const refusals = [await context.send(call), await context.send(call), await context.send(call)];
        const acceptedRequest = refusals.find(isAccepted);
        if (acceptedRequest) throw new Blocked('an unknown token is not refused', acceptedRequest);
        const remainingCounts = refusals.map(remainingRequests);
        const used = (remainingCounts.at(0) ?? Number.NaN) - (remainingCounts.at(-1) ?? Number.NaN);
        if (used === 0) return 'uncounted';
        // A bucket may have regained one request.
        if (used === 1 || used === 2) return 'by-address';
        counts.push(remainingCounts.join(', '));
      }
      throw new Blocked(`X-RateLimit-Remaining was ${counts.join('; ')}, which does not show how requests are counted`);
    },
  }),
  activeProbe({
    gap: 'rate.exceeded',
    evidenceFields: [...evidenceHeaders],
    findChoice: async (context) => {
      const { refused } = await context.use(excess);
      if (!refused) throw new Skip({ missing: 'a refused request', reason: 'there was none' });
      const { status, json } = refused;
      // The choices `429` and `403` differ only in the status.
      const hasTextAndRetryAfter = valueAt(json, 'error') === 'Too Many Attempts.' && 'retry-after' in refused.headers;
      if (hasTextAndRetryAfter && status === 429) return '429';
      return hasTextAndRetryAfter && status === 403
        ? '403'
        : new NoMatchingChoice(`${status} ${refused.text.slice(0, 200)}`);
    },
  }),
];

/** Sends a request with a value of this size (a length, key count or amount), and returns whether it is accepted. */
type AcceptsSize = (context: ClauseContext, size: number) => Promise<boolean>;

const acceptsDescriptionLength: AcceptsSize = async (context, size) =>
  isAccepted(await tryCreateLink(context, { description: 'x'.repeat(size) }));
const acceptsNotesLength: AcceptsSize = async (context, size) =>
  isAccepted(await tryCreateInvoice(context, { notes: 'x'.repeat(size) }));
const acceptsMetadata = async (context: ClauseContext, metadata: object): Promise<boolean> =>
  isAccepted(await tryCreateDeposit(context, { metadata }));
const acceptsKeyCount: AcceptsSize = (context, size) =>
  acceptsMetadata(
    context,
    Object.fromEntries(Array.from({ length: size }, (_item, index) => [index.toString(36), 'v'])),
  );
const acceptsKeyLength: AcceptsSize = (context, size) => acceptsMetadata(context, { ['k'.repeat(size)]: 'v' });
const acceptsValueLength: AcceptsSize = (context, size) => acceptsMetadata(context, { k: 'v'.repeat(size) });
/** The size of an amount is in hundredths. */
const acceptsAmount: AcceptsSize = async (context, size) =>
  isAccepted(await tryCreateLink(context, { amount: size / 100 }));

/**
 * Finds the largest accepted size. Tries the usual maximum first, which saves requests.
 * @param searchLimit upper end of the search; the result is undefined if even larger sizes are accepted
 */
async function findLargestAcceptedSize(
  context: ClauseContext,
  accepts: AcceptsSize,
  usualMaximum: number,
  searchLimit: number,
): Promise<number | undefined> {
  if (!(await accepts(context, usualMaximum)))
    return findLargestAccepted(0, usualMaximum, (size) => accepts(context, size));
  if (!(await accepts(context, usualMaximum + 1))) return usualMaximum;
  if (await accepts(context, searchLimit + 1)) return undefined;
  return findLargestAccepted(usualMaximum + 1, searchLimit + 1, (size) => accepts(context, size));
}

/** Longest text that the probes try, since many services limit bodies to 100 kB. */
const maxTextCharacters = 50_000;

/** A metadata value of each kind. */
const metadataValues = { text: 'text', number: 1, boolean: true, null: null, object: { in: 'it' }, list: ['in it'] };

/** Finds out whether the target refuses a text, stores it unchanged, or stores it with changes. */
async function findTextHandling(context: ClauseContext, text: string): Promise<'refused' | 'kept' | 'changed'> {
  const description = context.withRunPrefix(text);
  const exchange = await tryCreateLink(context, { description });
  if (!isAccepted(exchange)) return 'refused';
  return requireRecord(exchange)['description'] === description ? 'kept' : 'changed';
}

/** The largest accepted size, or a note that none was found. */
function sizeOrNote(size: number | undefined): number | string {
  return size ?? 'no limit was found';
}

/** Probes of maximum sizes, and of characters in texts. */
export const sizeProbes: readonly Probe[] = [
  activeProbe({
    gap: 'metadata.size',
    findChoice: async (context) => {
      const keys = await findLargestAcceptedSize(context, acceptsKeyCount, 50, 1_000);
      const key_length = await findLargestAcceptedSize(context, acceptsKeyLength, 40, 1_000);
      const value_length = await findLargestAcceptedSize(context, acceptsValueLength, 500, maxTextCharacters);
      if (keys === undefined && key_length === undefined && value_length === undefined) return 'unbounded';
      if (!keys || !key_length || !value_length) {
        return new NoMatchingChoice({
          keys: sizeOrNote(keys),
          key_length: sizeOrNote(key_length),
          value_length: sizeOrNote(value_length),
        });
      }
      const isUsual = keys === 50 && key_length === 40 && value_length === 500;
      return isUsual ? '50-keys' : { bounds: { keys, key_length, value_length } };
    },
  }),
  activeProbe({
    gap: 'metadata.values',
    evidenceFields: ['metadata'],
    findChoice: async (context) => {
      const accepted: string[] = [];
      for (const [kind, value] of Object.entries(metadataValues)) {
        if (await acceptsMetadata(context, { k: value })) accepted.push(kind);
      }
      if (accepted.join() === 'text,number,boolean,null') return 'scalars';
      if (accepted.length === Object.keys(metadataValues).length) return 'any';
      return accepted.join() === 'text' ? 'texts' : new NoMatchingChoice(accepted);
    },
  }),
  activeProbe({
    gap: 'text.lengths',
    findChoice: async (context) => {
      const text = await findLargestAcceptedSize(context, acceptsDescriptionLength, 255, 10_000);
      const notes = await findLargestAcceptedSize(context, acceptsNotesLength, 5_000, maxTextCharacters);
      if (text === undefined && notes === undefined) return 'unbounded';
      if (!text || !notes) return new NoMatchingChoice({ text: sizeOrNote(text), notes: sizeOrNote(notes) });
      return text === 255 && notes === 5_000 ? '255-and-5000' : { bounds: { text, notes } };
    },
  }),
  activeProbe({
    gap: 'text.characters',
    evidenceFields: ['description'],
    findChoice: async (context) => {
      const handlings = [await findTextHandling(context, 'NUL \u0000'), await findTextHandling(context, 'half \uD83D')];
      if (handlings.every((handling) => handling === 'kept')) return 'accepted';
      return handlings.every((handling) => handling === 'refused') ? 'refused' : new NoMatchingChoice(handlings);
    },
  }),
  activeProbe({
    gap: 'amount.maximum',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const largestAmount = await findLargestAcceptedSize(context, acceptsAmount, 99_999_999, 999_999_999_999);
      if (largestAmount === undefined) return 'unbounded';
      return largestAmount === 99_999_999 ? '999999.99' : { maximum: largestAmount / 100 };
    },
  }),
];
