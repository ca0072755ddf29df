import { formatInstant } from '../../domain/dates.js';
import { invalidField } from '../../domain/service-error.js';
import type { Account } from '../../simulation/account.js';
import { defaultAdvanceTimeoutMs, maxAdvanceTimeoutMs } from '../../simulation/agenda/schedule.js';
import { logAdvance, modeText } from './action-details.js';
import type { ControlRoutes, ResultOf } from './operations.js';
import { pageOf } from './pagination.js';
import { readDuration, readTime } from './parse-fields.js';

export const clockRoutes = {
  getClock: ({ account }) => clockView(account),

  setClock: async ({ account, body: { now, mode }, logDetails }) => {
    const { schedule } = account;
    if (now !== undefined) {
      const onStart = logAdvance(logDetails, mode);
      await schedule.advance({ to: readTime('now', now), timeoutMs: defaultAdvanceTimeoutMs, mode, onStart });
    } else if (mode !== undefined) {
      logDetails(modeText(mode));
      await schedule.setMode(mode);
    }
    return clockView(account);
  },

  advanceClock: ({ account, body: { by, to = '', timeout }, logDetails }) => {
    const timeoutMs = readDuration('timeout', timeout);
    if (timeoutMs > maxAdvanceTimeoutMs) throw invalidField('timeout', 'maximum', { limit: '10m' });
    // The schema requires exactly one of `by` and `to`.
    const goal = by === undefined ? { to: readTime('to', to) } : { by: readDuration('by', by) };
    return account.schedule.advance({ ...goal, timeoutMs, onStart: logAdvance(logDetails) });
  },

  getAgenda: ({ account, query }) => ({
    now: formatInstant(account.now()),
    // Ids of the webhooks and emails that are being delivered.
    in_progress: account.inProgress,
    ...pageOf(query, {
      rows: account.schedule.upcoming(),
      view: ({ at, kind, id }) => ({ at: formatInstant(at), kind, id }),
    }),
  }),
} satisfies Partial<ControlRoutes>;

function clockView(account: Account): ResultOf<'getClock'> {
  return { now: formatInstant(account.now()), mode: account.clock.state.mode };
}
