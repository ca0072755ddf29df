import { parseInstant } from './dates.js';
import type { GapChoices } from './gaps.js';
import type { Token } from './records.js';

/** Time at which a token expires, in milliseconds since 1970; undefined if it never does (gap auth.token-lifetime). */
export function tokenExpiresAt({ created_at }: Pick<Token, 'created_at'>, profile: GapChoices): number | undefined {
  const lifetime = profile['auth.token-lifetime'];
  return typeof lifetime === 'string' ? undefined : parseInstant(created_at) + lifetime.after;
}
