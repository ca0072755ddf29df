import type { AdvanceReport } from '../domain/advance-report.js';
import { formatInstant, parseDateOrTime } from '../domain/dates.js';
import { invalidDurationHint, parseDuration } from '../lib/durations.js';
import { describeValue } from '../lib/known-options.js';
import type { Account } from '../simulation/account.js';
import { defaultAdvanceTimeoutMs, maxAdvanceTimeoutMs } from '../simulation/agenda/schedule.js';
import type { Actions } from './actions.js';
import { readTimeout } from './check-options.js';

/** Options of an advance of the clock. */
export interface AdvanceOptions {
  /**
   * Real milliseconds to wait for receivers and the SMTP server, at most 600,000; default: 30,000. Unfinished
   * deliveries and emails continue in the background.
   */
  readonly timeout?: number;
}

/** The clock of an account. Times are ISO 8601. */
export interface Clock {
  /** Reads the clock. */
  show(): Promise<{ readonly now: string; readonly mode: 'real' | 'frozen' }>;
  /**
   * Advances the clock by a duration such as `8d` or `P8D` and runs everything that falls due.
   * @throws ServiceError, RangeError
   */
  advance(by: string, options?: AdvanceOptions): Promise<AdvanceReport>;
  /**
   * Advances the clock to a time with an offset from UTC, or to midnight UTC on a date, and runs everything that
   * falls due.
   * @throws ServiceError clock-backwards, RangeError
   */
  set(time: string | Date, options?: AdvanceOptions): Promise<AdvanceReport>;
  /** Stops the clock at the time it shows. */
  freeze(): Promise<void>;
  /** Lets the clock run from the time it shows. */
  resume(): Promise<void>;
}

/** Converts a `Date`, a time with an offset from UTC, or a date, to a time in UTC. @throws RangeError */
export function readTime(time: string | Date): string {
  const at = instantOf(time);
  if (at !== undefined && at >= 0) return formatInstant(at);
  throw new RangeError(
    `${quoteText(time)} is neither a date nor a time with a UTC offset, in 1970 or later (for example 2026-03-01T09:00:00Z)`,
  );
}

/** Milliseconds since 1970; undefined for what is not a time, since plain JavaScript can pass anything. */
function instantOf(time: unknown): number | undefined {
  if (time instanceof Date) return time.getTime();
  return typeof time === 'string' ? parseDateOrTime(time) : undefined;
}

/** Quotes text, and describes any other value: some, such as a bigint, cannot be written as JSON. */
function quoteText(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describeValue(value);
}

/** Reads the timeout of an advance as a duration for the control API. @throws RangeError; UserError */
function readAdvanceTimeout(options: AdvanceOptions): string {
  return `${readTimeout(options, defaultAdvanceTimeoutMs, { maxMs: maxAdvanceTimeoutMs })}ms`;
}

/**
 * Creates the clock of an account.
 * @param currentAccount returns the account, which is a new object after each reset
 * @param call changes the account through an operation of the control API
 */
export function clockOf(currentAccount: () => Account, call: Actions['call']): Clock {
  return {
    async show() {
      const { clock } = currentAccount();
      return { now: formatInstant(clock.now()), mode: clock.state.mode };
    },
    async advance(by, options = {}) {
      const timeout = readAdvanceTimeout(options);
      // Plain JavaScript can pass anything, such as a number of milliseconds.
      if (typeof by !== 'string' || parseDuration(by) === undefined)
        throw new RangeError(
          `${quoteText(by)} is not a duration (for example 8d, 2h 30m or P8D)${invalidDurationHint(by)}`,
        );
      return call('advanceClock', { body: { by, timeout } });
    },
    async set(time, options = {}) {
      const timeout = readAdvanceTimeout(options);
      return call('advanceClock', { body: { to: readTime(time), timeout } });
    },
    freeze: async () => void (await call('setClock', { body: { mode: 'frozen' } })),
    resume: async () => void (await call('setClock', { body: { mode: 'real' } })),
  };
}
