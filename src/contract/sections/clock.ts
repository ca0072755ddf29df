import { minuteMs } from '../../lib/durations.js';
import { timestampOf } from '../engine/expect.js';
import { ifPossible } from '../engine/if-possible.js';
import { setup } from '../engine/session.js';
import { Blocked } from '../engine/verdict.js';
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
