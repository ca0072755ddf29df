import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import type { Deviation } from '../../src/proxy/deviation.js';
import { createExchangeChecker, type ExchangeChecker } from '../../src/proxy/exchange-checker.js';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../src/proxy/proxy.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** A proxy in this process that records its reports. */
export interface TestProxy extends RunningProxy {
  readonly deviations: Deviation[];
  /** Requests without a response, each with the reason. */
  readonly unanswered: string[];
  /** Unexpected errors of the proxy itself. */
  readonly failures: unknown[];
  /** Returns the distinct deviations so far, one line each. */
  lines(): string[];
}

/**
 * Opens a proxy in front of an upstream. It is closed after the test.
 * @param options `choices` are the choices of the service, which the proxy knows
 */
export async function openTestProxy(
  upstream: string,
  { choices = {}, ...options }: Partial<ProxyOptions> & { readonly choices?: Choices } = {},
): Promise<TestProxy> {
  const deviations: Deviation[] = [];
  const unanswered: string[] = [];
  const failures: unknown[] = [];
  const proxy = await startProxy({
    checker: checkerFor(choices),
    upstream: new URL(upstream),
    port: 0,
    host: '127.0.0.1',
    timeoutMs: 60_000,
    isAllowedHost: () => true,
    onDeviation: (deviation) => deviations.push(deviation),
    onUnanswered: (request, reason) => unanswered.push(`${request}: ${reason}`),
    onFailure: (error) => failures.push(error),
    ...options,
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, deviations, unanswered, failures, lines: () => deviations.map(formatDeviation) };
}

/** Creates a checker that compares exchanges with the document that a service with these choices serves. */
export function checkerFor(choices: Choices): ExchangeChecker {
  const document = servedDocument(resolveProfile(choices));
  return createExchangeChecker({ document, knownGaps: Object.keys(choices), scopes: new Map() });
}

/**
 * Formats a deviation in one line: `error response body data.total type`. Its words are the severity, the side, the
 * part, the place and the rule; the gaps that permit the deviation follow in brackets.
 */
export function formatDeviation({ severity, side, part, at, rule, gaps }: Deviation): string {
  return [severity, side, part, at, rule, ...gaps.map((gap) => `[${gap}]`)].filter((word) => word !== '').join(' ');
}

/** URL at which nothing listens, since only privileged processes may use port 1. */
export const unreachableUrl = 'http://127.0.0.1:1';

/** Starts an HTTP server with a listener, closed after the test. @returns its URL */
export async function openUpstream(listener: RequestListener): Promise<string> {
  const { url } = await listenUntilTestEnds(createServer({ requestTimeout: 0 }, listener));
  return url;
}
