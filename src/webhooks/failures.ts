import { errorCode, isError } from '../lib/errors.js';
import { memberOf } from '../lib/json.js';

const closed = 'connection closed before a response';

/** Descriptions of connection errors, keyed by the error codes of Node. */
const reasonsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: closed,
  EPIPE: closed,
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name could not be looked up',
};

/** Describes in a few words why a message got no valid response. */
export function formatFailure(error: unknown): string {
  if (!isError(error)) return String(error);
  const code = errorCode(error) ?? '';
  const knownReason = reasonsByCode[code];
  if (knownReason !== undefined) return knownReason;
  // `HPE_` begins the error codes of Node's HTTP parser.
  if (code.startsWith('HPE_')) return `the response is not HTTP: ${stringAt(error, 'reason') ?? error.message}`;
  const reason = tlsReason(error);
  return reason === undefined ? messageOf(error) : `TLS: ${reason}`;
}

/**
 * The message of an error. If Node could connect to none of a host's addresses, its error has no message, so that of the
 * first attempt is returned.
 */
function messageOf(error: Error): string {
  const [firstError] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return error.message === '' && isError(firstError) ? firstError.message : error.message;
}

/** Extracts the reason from an OpenSSL error; undefined for other errors. */
function tlsReason(error: Error): string | undefined {
  if (stringAt(error, 'library') !== undefined) return stringAt(error, 'reason');
  // The message of an EPROTO contains the only details: `…:error:0A00010B:SSL routines:function:reason:file:line:`.
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(error.message)?.[1];
}

function stringAt(error: Error, name: string): string | undefined {
  const value = memberOf(error, name);
  return typeof value === 'string' ? value : undefined;
}
