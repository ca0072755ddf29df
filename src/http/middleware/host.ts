import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import { hostWithoutPort, isAllowedHost } from '../../lib/host-name.js';

/**
 * Creates middleware that refuses requests for hosts that are not allowed; see `isAllowedHost`.
 * @param allowedHosts returns the host names to allow besides loopback addresses, `localhost` and names under
 *   `localhost`
 */
export function requireAllowedHost(
  allowedHosts: () => readonly string[],
): (request: Request, _: Response, next: NextFunction) => void {
  const isAllowed = (host: string): boolean => {
    const names = allowedHosts().map((name) => name.toLowerCase());
    return isAllowedHost(host, names);
  };
  // Clients send the same Host again and again, so allowed hosts are cached. Clients choose names under
  // `localhost`, so the cache is limited.
  const knownHosts = new Set<string>();
  return (request, _response, next) => {
    const host = singleHost(request);
    if (host === undefined) throw new ServiceError('request-malformed', { hint: 'send one Host header' });
    if (!knownHosts.has(host)) {
      if (!isAllowed(host)) throw hostNotAllowed(host);
      if (knownHosts.size < 100) knownHosts.add(host);
    }
    const target = targetHost(request.url);
    if (target !== undefined && !isAllowed(target)) throw hostNotAllowed(target);
    next();
  };
}

function hostNotAllowed(host: string): ServiceError {
  const name = hostWithoutPort(host) ?? 'NAME';
  const options = `--allow-host ${name}, BILLING_SIM_ALLOW_HOST=${name} or \`start: { allow-host: [${name}] }\` in billing-sim.config.yaml`;
  return new ServiceError('host-not-allowed', { hint: `start with ${options} to serve it, or use localhost` });
}

/** Matches the scheme and the host of a request target in absolute form, as clients of a proxy send it. */
const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host of a target in absolute form. It is checked in addition to the Host header (RFC 9112, 3.2.2). */
function targetHost(target: string): string | undefined {
  return target.startsWith('/') ? undefined : schemeAndHost.exec(target)?.[1];
}

/** The path and the query of a request target. */
export function withoutHost(target: string): string {
  return target.startsWith('/') ? target : target.replace(schemeAndHost, '');
}

/** The only Host header of a request; undefined if there is none, an empty one, or more than one. */
function singleHost(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request;
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return undefined;
    host = rawHeaders[index + 1];
  }
  return host || undefined;
}
