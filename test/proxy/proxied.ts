import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import type { Deviation } from '../../src/proxy/deviation.js';
import { createJudge, type Judge } from '../../src/proxy/judge.js';
import { openProxy, type ProxyOptions, type RunningProxy } from '../../src/proxy/proxy.js';

/** A proxy in this process, with what it told. */
export interface Proxied extends RunningProxy {
  readonly told: Deviation[];
  readonly unanswered: string[];
  readonly failures: unknown[];
  /** The errors and notes so far, a line each, without what was only repeated. */
  lines(): string[];
}

/** A proxy before an upstream, closed after the test. */
export async function openProxied(
  upstream: string,
  choices: Choices = {},
  options: Partial<ProxyOptions> = {},
): Promise<Proxied> {
  const told: Deviation[] = [];
  const unanswered: string[] = [];
  const failures: unknown[] = [];
  const proxy = await openProxy({
    judge: judgeOf(choices),
    upstream: new URL(upstream),
    port: 0,
    host: '127.0.0.1',
    timeoutMs: 60_000,
    serves: () => true,
    onDeviation: (departure) => told.push(departure),
    onUnanswered: (request, reason) => unanswered.push(`${request}: ${reason}`),
    onFailure: (error) => failures.push(error),
    ...options,
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, told, unanswered, failures, lines: () => told.map(lineOf) };
}

/** Traffic that is checked against the document for some choices. */
export function judgeOf(choices: Choices): Judge {
  const document = servedDocument(resolveProfile(choices));
  return createJudge({ document, knownGaps: Object.keys(choices), scopes: new Map() });
}

/** A departure in short: `error answer body data.total type`, with the gaps that leave it open. */
export function lineOf({ severity, side, part, at, rule, gaps }: Deviation): string {
  return [severity, side, part, at, rule, ...gaps.map((gap) => `[${gap}]`)].filter((word) => word !== '').join(' ');
}

/** An HTTP server that answers as told, closed after the test. Gives its address. */
export async function openUpstream(listener: RequestListener): Promise<string> {
  return openServer(createServer({ requestTimeout: 0 }, listener));
}

export async function openServer(server: Server | import('node:net').Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${portOf(server.address())}`;
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return address.port;
}
