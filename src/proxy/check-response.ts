import { gapRegistry } from '../generated/gap-registry.js';
import type { Reading } from './body.js';
import { type Finding, findingOn, isClientError } from './deviation.js';
import { type Operation, type Parameter, parameterValue, type Response } from './document.js';
import { headerOf, mediaTypeOf, type ProxiedRequest, type ProxiedResponse, tokenOf } from './exchange.js';

const finding = findingOn('answer');

/** Compares a response with the document. A finding names the gaps (`x-gap`) of the part that the response violates. */
export function checkResponse(
  operation: Operation,
  request: ProxiedRequest,
  response: ProxiedResponse,
  reading: Reading,
): Finding[] {
  const { status } = response;
  const documented = documentedResponse(operation, status);
  const isListed = operation.responses.has(String(status));
  // An unauthenticated client may get only the headers that are documented for 401, whatever the status.
  const unauthenticatedResponse = isUnauthenticated(operation, request, status)
    ? operation.responses.get('401')
    : undefined;
  return [
    ...(isListed ? [] : [unlistedStatus(operation, status)]),
    ...(documented?.headers ?? []).flatMap((header) => checkHeader(header, response, unauthenticatedResponse)),
    ...(documented ? checkBody(documented, request, response, reading) : []),
  ];
}

/** Returns true for a 304 to a conditional request, which is defined by HTTP rather than by the operation. */
export function isNotModified({ headers }: ProxiedRequest, { status }: ProxiedResponse): boolean {
  const isConditional = ['If-None-Match', 'If-Modified-Since'].some((name) => headerOf(headers, name) !== undefined);
  return status === 304 && isConditional;
}

/** Documented response to compare with; for a success with an unlisted status, the first documented success. */
function documentedResponse({ responses }: Operation, status: number): Response | undefined {
  const listed = responses.get(String(status));
  if (listed) return listed;
  if (status >= 400) return responses.get('default');
  return status < 300 ? successesOf(responses)[0] : undefined;
}

function successesOf(responses: Operation['responses']): Response[] {
  return [...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response);
}

function unlistedStatus({ responses, gaps }: Operation, status: number): Finding {
  const listed = [...responses.keys()].filter((documented) => documented !== 'default');
  const permittingGaps =
    status >= 400
      ? (responses.get('default')?.gaps ?? [])
      : [...gaps, ...successesOf(responses).flatMap((response) => response.gaps)].filter((gap) =>
          hasStatusChoice(gap, status),
        );
  return finding('status', '', 'unlisted', `is not documented; documented: ${listed.join(', ')}`, permittingGaps);
}

/** Returns true if a status is among the choices of a gap. */
function hasStatusChoice(gap: string, status: number): boolean {
  return Object.entries(gapRegistry).some(([id, { choices }]) => id === gap && Object.hasOwn(choices, String(status)));
}

/**
 * Returns true if a response may be due to a missing or invalid token. In that case the service may respond with any
 * status from 400 to 499, even one that the operation does not document (gap auth.unauthenticated).
 */
function isUnauthenticated({ responses }: Operation, { headers }: ProxiedRequest, status: number): boolean {
  if (!isClientError(status)) return false;
  return status === 401 || status === 403 || tokenOf(headers) === undefined || !responses.has(String(status));
}

function checkHeader(
  header: Parameter,
  { headers }: ProxiedResponse,
  unauthenticatedResponse: Response | undefined,
): Finding[] {
  const { name, required, check, gaps } = header;
  const text = headerOf(headers, name);
  if (text !== undefined) {
    return check(parameterValue(header, text)).map((violation) =>
      finding('header', name, violation.rule, violation.message, violation.gaps),
    );
  }
  const isNeeded =
    required &&
    (!unauthenticatedResponse || unauthenticatedResponse.headers.some((documented) => documented.name === name));
  return isNeeded
    ? [finding('header', name, 'missing', 'is missing', [...gaps, ...(unauthenticatedResponse?.gaps ?? [])])]
    : [];
}

function checkBody(
  { check }: Response,
  { method }: ProxiedRequest,
  { headers }: ProxiedResponse,
  reading: Reading,
): Finding[] {
  if (!check || method === 'HEAD') return [];
  if (!reading) return [finding('body', '', 'missing', 'is missing')];
  const isJson = mediaTypeOf(headers) === 'application/json';
  const wrongType = isJson ? [] : [finding('media-type', '', 'media-type', 'must be application/json')];
  if ('unreadReason' in reading)
    return [...wrongType, finding('body', '', 'unread', `${reading.unreadReason}, so it was not checked`)];
  if ('invalidReason' in reading) return isJson ? [finding('body', '', 'json', reading.invalidReason)] : wrongType;
  const violations = check(reading.value);
  return [
    ...wrongType,
    ...violations.map(({ path, rule, message, gaps }) => finding('body', path.join('.'), rule, message, gaps)),
  ];
}
