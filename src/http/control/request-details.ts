import { ServiceError } from '../../domain/service-error.js';
import type { components } from '../../generated/control-validated-types.js';
import { decodeHeader } from '../../lib/decode-header.js';
import { headerPairs } from '../../lib/end-to-end-headers.js';
import { isRecord, memberOf, parseJson } from '../../lib/json.js';
import type { Account } from '../../simulation/account.js';
import { chainsOf } from '../../simulation/activity/chains.js';
import type { BodyRing, LoggedRequest, RecordedBody, RecordedExchange } from '../../simulation/activity/request-log.js';
import { isPlaceholder } from '../placeholder-token.js';
import { errorText } from '../service/errors.js';
import { fieldKey } from '../service/messages.js';
import { activityView, requestView } from './views.js';

type Details = components['schemas']['RequestDetails'];
type Message = components['schemas']['RecordedMessage'];
type Body = components['schemas']['RecordedBody'];

/** Builds the details of a request: headers, bodies, the reason for an error, and the activity that it caused. */
export function requestDetails(account: Account, request: LoggedRequest): Details {
  // The chain has the request and its consequences; the request itself is left out below.
  const chain = chainsOf(account.logs).find(({ correlation }) => correlation === request.id);
  return {
    ...requestView(request),
    ...recordedMessages(account, request),
    activity: (chain?.entries ?? []).filter((entry) => !('request' in entry)).map(activityView),
  };
}

/**
 * Returns the request and the response as recorded, with secrets masked, and the reason for an error.
 */
export function recordedMessages(
  account: Account,
  request: LoggedRequest,
): Pick<Details, 'sent' | 'received' | 'error_details'> {
  const { recorded, status } = request;
  const { bodies } = account.logs;
  const { requestHeaders, requestBody, responseHeaders, responseBody } = recorded;
  const mask = maskOf(request);
  const received = {
    headers: Object.entries(responseHeaders).map(([name, value]) => ({ name, value: mask(String(value)) })),
    body: bodyView(bodies, responseBody, mask),
  };
  return {
    sent: { headers: maskedHeaders(requestHeaders, mask), body: bodyView(bodies, requestBody, mask) },
    received: status === null ? null : received,
    error_details: errorDetailsView(account, request, mask),
  };
}

function bodyView(bodies: BodyRing, body: RecordedBody | null, mask: (text: string) => string): Body | null {
  if (body === null) return null;
  const text = bodies.read(body);
  const { size: recordedSize, wholeSize } = body;
  return { size: wholeSize, text: text === null ? null : mask(text), is_truncated: recordedSize < wholeSize };
}

const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** Masks the credentials in headers, but keeps the scheme of an Authorization header, such as `Bearer`. */
function maskedHeaders(raw: readonly string[], mask: (text: string) => string): Message['headers'] {
  return headerPairs(raw).map(([name, value]) => {
    if (!secretHeaders.has(name.toLowerCase())) return { name, value: decodeHeader(mask(value)) };
    const [scheme = ''] = /authorization$/i.test(name) ? (value.match(/^\S+ /) ?? []) : [];
    return { name, value: `${scheme}****` };
  });
}

/**
 * Maximum nesting depth of the values that are shown. Metadata can have as many levels (`maxMetadataLevels`), but a refused
 * value can have tens of thousands, and recursion over it could overflow the stack.
 */
const maxShownLevels = 100;

/** Masks all strings in a value, and the names of members. Arrays and objects that are nested too deeply become `…`. */
export function maskedValue(value: unknown, mask: (text: string) => string, levels = maxShownLevels): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  const maskedInner = (inner: unknown): unknown => maskedValue(inner, mask, levels - 1);
  if (Array.isArray(value)) return value.map(maskedInner);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mask(name), maskedInner(member)]));
}

/**
 * Returns a function that masks the token of a request in any text: some clients send the token in the body, too, and
 * the response may repeat it.
 */
function maskOf(request: LoggedRequest): (text: string) => string {
  const tokens = tokensOf(request);
  return (text) => tokens.reduce((masked, token) => masked.replaceAll(token, '****'), text);
}

/** The tokens in the Authorization headers of a request, except unknown ones that are short or plain words. */
export function tokensOf({ recorded: { requestHeaders }, token }: LoggedRequest): string[] {
  const authorization = headerPairs(requestHeaders).filter(([name]) => name.toLowerCase() === 'authorization');
  return authorization
    .flatMap(([, value]) => /^\S+ +(\S+)/.exec(value)?.[1] ?? [])
    .filter((sent) => token !== null || !isPlaceholder(sent));
}

/** The error of a refused request, with the sent value and the messages of each field; null if it was not refused. */
function errorDetailsView(
  account: Account,
  { errorDetails, recorded, path, profile }: LoggedRequest,
  mask: (text: string) => string,
): Details['error_details'] {
  if (!errorDetails) return null;
  const { code, violations, hint } = errorDetails;
  const { error: message, errors = {} } = errorText(new ServiceError(code, { violations, hint }), profile);
  const sentFields = sentFieldsOf(account, recorded, path);
  const fields = Object.entries(errors).map(([field, messages]) => {
    const fieldViolations = violations.filter((violation) => fieldKey(violation.path, profile) === field);
    const valuePath = fieldViolations[0]?.path;
    const value = valuePath?.reduce<unknown>((part, name) => memberOf(part, String(name)), sentFields);
    const rules = fieldViolations.map(({ rule }) => rule);
    return { field, ...(value === undefined ? {} : { sent: maskedValue(value, mask) }), messages, rules };
  });
  return { code, message, hint: hint === undefined ? null : mask(hint), fields };
}

/** The fields in the query and the body of a request. */
function sentFieldsOf({ logs: { bodies } }: Account, { requestBody }: RecordedExchange, path: string): unknown {
  const text = requestBody && bodies.read(requestBody);
  const query = Object.fromEntries(new URLSearchParams(path.replace(/^[^?]*\??/, '')));
  try {
    const body = text ? parseJson(text) : {};
    return isRecord(body) ? { ...query, ...body } : body;
  } catch {
    // Not JSON, or only its beginning is kept.
    return query;
  }
}
