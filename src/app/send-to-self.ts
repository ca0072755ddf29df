import { request } from 'node:http';
import type { SendToSelf } from '../http/control/replay.js';

/**
 * Creates a function that sends requests to the server in this process.
 * @param url returns the server's origin; not called before the server listens
 */
export function createSendToSelf(url: () => string): SendToSelf {
  return ({ method, target, headers, body }, signal) =>
    new Promise((resolve) => {
      const lengthHeader = body === null ? [] : ['Content-Length', String(Buffer.byteLength(body))];
      const { hostname, port } = new URL(url());
      const outgoing = request({
        method,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: target,
        headers: [...headers, ...lengthHeader],
        signal,
      });
      outgoing.on('response', (response) => response.resume());
      // A fault may reset the connection, or leave the request without a response until `signal` aborts it. The request
      // log says what happened.
      outgoing.on('error', () => undefined);
      outgoing.on('close', () => resolve());
      outgoing.end(body ?? '');
    });
}
