import { ifPossible } from '../engine/if-possible.js';
import { setup } from '../engine/session.js';
import { newLink } from './payment-links/setups.js';

/** Milliseconds by which the target's clock is ahead: that of a simulator can show any time. */
export const clockSkew = setup("the target's clock", async (context) => {
  const link = await ifPossible(context.use(newLink));
  const now = Date.parse(String(link?.record['created_at']));
  const real = Date.parse(link?.exchange.headers['date'] ?? '');
  return Number.isNaN(now - real) ? 0 : now - real;
});
