import { expect } from 'vitest';
import type { Reply } from './ask.js';

/** The error envelope of a refusal over one field (specification, Errors). */
export function invalid(field: string, message: string): object {
  return { success: false, error: message, errors: { [field]: [message] } };
}

/** The response is JSON with exactly this status and body. */
export function expectJson(
  reply: Pick<Reply, 'status' | 'headers'> & { text: string },
  status: number,
  body: object,
): void {
  expect({
    status: reply.status,
    type: reply.headers['content-type'],
    body: readJson(reply.text),
  }).toStrictEqual({ status, type: 'application/json; charset=utf-8', body });
}

/** Like `expectJson`, for a response of `/api/v1`, which has rate limit headers (specification, Limits). */
export function expectServiceJson(reply: Reply, status: number, body: object): void {
  expectJson(reply, status, body);
  expectRateHeaders(reply);
}

export function expectRateHeaders(reply: Reply): void {
  expect(reply.headers).toMatchObject({
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  });
}

/** The text itself where it is no JSON, so that a failing comparison shows it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
