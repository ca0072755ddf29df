import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns a check for the control token. Without a configured token the check accepts everything. */
export function controlTokenCheck(expected: string | undefined): (sentToken: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expectedDigest = expected === undefined ? undefined : digest(expected);
  return (sentToken) =>
    !expectedDigest || (sentToken !== undefined && timingSafeEqual(expectedDigest, digest(sentToken)));
}
