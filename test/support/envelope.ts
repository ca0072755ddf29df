import { expect } from 'vitest';
import type { ReceivedResponse } from './send-http-request.js';

/** Error envelope for one invalid field (specification, Errors). */
export function invalidFieldBody(field: string, message: string): object {
  return { success: false, error: message, errors: { [field]: [message] } };
}

/** Error body of the control API for one invalid field: the envelope and a code. */
export function invalidControlFieldBody(field: string, message: string): object {
  return { ...invalidFieldBody(field, message), code: 'invalid' };
}

/** Expects JSON with exactly this status and body. */
export function expectJson(
  response: Pick<ReceivedResponse, 'status' | 'headers' | 'text'>,
  status: number,
  body: object,
): void {
  expect({
    status: response.status,
    type: response.headers['content-type'],
    body: parseJsonOrText(response.text),
  }).toStrictEqual({ status, type: 'application/json; charset=utf-8', body });
}

/** Like `expectJson`, for a response of `/api/v1`, which has rate limit headers (specification, Limits). */
export function expectServiceJson(response: ReceivedResponse, status: number, body: object): void {
  expectJson(response, status, body);
  expectRateLimitHeaders(response);
}

export function expectRateLimitHeaders(response: Pick<ReceivedResponse, 'headers'>): void {
  expect(response.headers).toMatchObject({
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  });
}

/** Parses JSON; returns other text unchanged, so that a failing comparison shows it. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
