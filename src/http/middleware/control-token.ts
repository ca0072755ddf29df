import { hash, timingSafeEqual } from 'node:crypto';

/** Returns a check for the control token. Without a configured token the check accepts everything. */
export function controlTokenCheck(expected: string | undefined): (sentToken: string | undefined) => boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expectedDigest = expected === undefined ? undefined : digest(expected);
  return (sentToken) =>
    !expectedDigest || (sentToken !== undefined && timingSafeEqual(expectedDigest, digest(sentToken)));
}
