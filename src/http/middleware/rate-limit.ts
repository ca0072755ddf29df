import { apiTimestamp, formatInstant } from '../../domain/dates.js';
import type { RateReport } from '../../domain/rate-window.js';
import type { Profile } from '../../openapi/gaps.js';
import type { Account } from '../../simulation/account.js';
import type { Headers } from '../service/response.js';

/** Counts a request without a known token, if the profile says so (gap rate.unauthenticated). */
export function countAnonymous(account: Account, address: string | undefined): RateReport {
  return account.profile['rate.unauthenticated'] === 'uncounted'
    ? peekAnonymous(account, address)
    : account.countRequest(addressKey(address));
}

/** Returns the state of the rate window of a client without a token. Counts nothing and always allows the request. */
export function peekAnonymous(account: Account, address: string | undefined): RateReport {
  return { ...account.rates.peek(addressKey(address), account.profile), isAllowed: true };
}

/** The key of the rate window of a client address. */
export function addressKey(address: string | undefined): string {
  return `address ${address}`;
}

/** The rate-limit headers (specification, Limits; gap rate.reset-unit). */
export function rateHeaders(report: RateReport, profile: Profile, now: number): Headers {
  return {
    'X-RateLimit-Limit': report.limit,
    'X-RateLimit-Remaining': report.remaining,
    'X-RateLimit-Reset': resetFormats[profile['rate.reset-unit']](report.resetAt, now),
  };
}

const resetFormats: Record<Profile['rate.reset-unit'], (resetAt: number, now: number) => string | number> = {
  'epoch-seconds': (resetAt) => Math.ceil(resetAt / 1000),
  'seconds-left': (resetAt, now) => Math.ceil((resetAt - now) / 1000),
  iso: (resetAt) => apiTimestamp(formatInstant(Math.ceil(resetAt / 1000) * 1000)),
};
