import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { checkClause } from '../../src/contract/engine/check-clauses.js';
import { rateLimitProbes } from '../../src/contract/sections/rate-limits/probes.js';
import { openSession } from './support.js';
import { serve } from './targets.js';

/** Returns the key of the window that a request counts towards; undefined if it does not count. */
type WindowOf = (request: IncomingMessage) => string | undefined;

/** Starts a server that refuses every request with 401 and counts it in windows of 60 requests. */
async function serveErrors(windowOf: WindowOf): Promise<string> {
  const counts = new Map<string, number>();
  return serve((request, response) => {
    const key = windowOf(request);
    const count = key === undefined ? 0 : (counts.get(key) ?? 0) + 1;
    if (key !== undefined) counts.set(key, count);
    response.writeHead(401, { 'Content-Type': 'application/json', 'X-RateLimit-Remaining': String(60 - count) });
    response.end('{"success":false,"error":"Unauthenticated."}');
  });
}

test.each<[windows: string, windowOf: WindowOf, choice: unknown, detail: string]>([
  [
    'are counted in one window',
    ({ socket }) => socket.remoteAddress,
    'by-address',
    "They count towards the window of the client's address.",
  ],
  ['are not counted', () => undefined, 'uncounted', 'They do not count.'],
  [
    'are counted per token, separately from requests without one',
    ({ headers }) => headers.authorization ?? 'no token',
    undefined,
    'requests with an unknown token and those without a token count towards separate windows, which matches no choice of the gap',
  ],
  [
    'are counted only if they have a token',
    ({ headers }) => headers.authorization,
    undefined,
    'requests of the two kinds, sent in turn, had X-RateLimit-Remaining 58, 60, 57, 60; 56, 60, 55, 60; 54, 60, 53, 60, which does not show how they are counted',
  ],
])(
  'the probe of `rate.unauthenticated` observes that refused requests %s',
  async (_windows, windowOf, choice, detail) => {
    const probe = rateLimitProbes.find(({ gap }) => gap === 'rate.unauthenticated');
    if (!probe) throw new Error('rate.unauthenticated has no probe');
    const session = openSession({ baseUrl: await serveErrors(windowOf), tokens: { full: 'a-token' }, driver: {} });
    const result = await checkClause(session, probe).finally(() => session.close());
    expect({ choice: session.observedChoices.get('rate.unauthenticated'), detail: result.detail }).toEqual({
      choice,
      detail,
    });
  },
);
