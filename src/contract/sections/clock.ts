import { hourMs, minuteMs } from '../../lib/durations.js';
import { Blocked } from '../engine/check-errors.js';
import type { Exchange } from '../engine/exchange.js';
import { timestampOf } from '../engine/expect.js';
import { ifPossible } from '../engine/if-possible.js';
import { timeOfResponse } from '../engine/pace.js';
import { type ClauseContext, setup } from '../engine/session.js';
import { dayOf } from '../predicates/filters.js';
import { newLink } from './payment-links/setups.js';

/**
 * Milliseconds by which the target's clock is ahead of real time: the `created_at` of a new link minus the `Date`
 * header of the response; undefined if unknown. The clock of a simulator can be set to any time.
 */
export const clockSkewMs = setup("the target's clock", async (context) => {
  const link = await ifPossible(context.use(newLink));
  const targetTime = timestampOf(link?.record['created_at']);
  const realTime = Date.parse(link?.exchange.headers['date'] ?? '');
  if (!targetTime || Number.isNaN(realTime)) return undefined;
  const skewMs = targetTime.at - realTime;
  // Without seconds, the timestamp is up to a minute earlier than the clock.
  return !targetTime.hasSeconds && skewMs <= 0 && skewMs > -minuteMs ? 0 : skewMs;
});

/** Like `clockSkewMs`, for checks that need it. @throws Blocked if it is unknown */
export const knownClockSkewMs = setup("the known time of the target's clock", async (context): Promise<number> => {
  const skewMs = await context.use(clockSkewMs);
  if (skewMs === undefined) throw new Blocked("no new link shows the time of the target's clock");
  return skewMs;
});

/**
 * Selects the responses for which `clockSkewMs` holds. To expire a deposit, a driver may advance the target's clock, so
 * the skew differs before and after that.
 */
export async function responsesWithSkew(
  context: ClauseContext,
  responses: readonly Exchange[],
): Promise<readonly Exchange[]> {
  const { sentRequests, driverCalls } = context.session;
  const expiries = driverCalls.filter(({ method }) => method === 'expireDeposit');
  const link = await ifPossible(context.use(newLink));
  if (expiries.length === 0 || !link) return responses;
  /** Number of times that the driver had expired a deposit when the request for a response was sent. */
  const expiriesBefore = (response: Exchange): number => {
    const { sentAt = 0 } = sentRequests.find(({ exchange }) => exchange === response) ?? {};
    return expiries.filter(({ startedAt }) => startedAt < sentAt).length;
  };
  const expiriesBeforeLink = expiriesBefore(link.exchange);
  return responses.filter((response) => expiriesBefore(response) === expiriesBeforeLink);
}

/** Offsets from UTC of the time zones in which a date begins last and first. */
const utcOffsetsMs = { last: -12 * hourMs, first: 14 * hourMs };

/** True if a time, in milliseconds since 1970, is on a day, `YYYY-MM-DD`, in some time zone. */
export function mayBeOnDay(timestampMs: number, day: string): boolean {
  return dayOf(timestampMs + utcOffsetsMs.last) <= day && day <= dayOf(timestampMs + utcOffsetsMs.first);
}

/** True if a skew can come from a timestamp in local time that is marked as UTC, or the other way around. */
export const isWithinUtcOffsets = (skewMs: number): boolean => Math.abs(skewMs) <= utcOffsetsMs.first;

/**
 * The skews that the target's clock may have. If the `created_at` of the new link is hours away from the `Date` header,
 * either may be wrong, so both clocks are possible. If it is days away, the target is a simulator whose clock was set
 * to another time. If the skew is unknown, the target's clock is assumed to agree with the `Date` header.
 */
export const possibleClockSkewsMs = setup(
  "the possible times of the target's clock",
  async (context): Promise<readonly number[]> => {
    const skewMs = (await context.use(clockSkewMs)) ?? 0;
    return isWithinUtcOffsets(skewMs) ? [0, skewMs] : [skewMs];
  },
);

/**
 * Returns the earliest and the latest possible date, `YYYY-MM-DD`, in the target's time zone at the time of a response.
 * A minute is tolerated, since a response may be computed some time before or after its `Date` header.
 */
export function possibleDates(
  { headers }: Exchange,
  clockSkewsMs: readonly number[],
): { readonly earliest: string; readonly latest: string } {
  const now = timeOfResponse(headers);
  return {
    earliest: dayOf(now + Math.min(...clockSkewsMs) + utcOffsetsMs.last - minuteMs),
    latest: dayOf(now + Math.max(...clockSkewsMs) + utcOffsetsMs.first + minuteMs),
  };
}
