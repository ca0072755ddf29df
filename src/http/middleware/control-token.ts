import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns a check for the control token. Without a configured token the check accepts everything. */
export function controlTokenCheck(expected: string | undefined): (given: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = expected === undefined ? undefined : digest(expected);
  return (given) => !wanted || (given !== undefined && timingSafeEqual(wanted, digest(given)));
}
