import type { BodyParseResult } from './body.js';
import { type Finding, findingOn } from './deviation.js';
import { type Operation, type Parameter, parameterValue, type Response } from './document.js';
import { headerOf, mediaTypeOf, type ProxiedRequest, type ProxiedResponse } from './exchange.js';

const finding = findingOn('response');

/**
 * Compares a response with the OpenAPI document. A finding lists the gaps that the document marks with `x-gap` at the
 * violated part.
 */
export function checkResponse(
  operation: Operation,
  request: ProxiedRequest,
  response: ProxiedResponse,
  parseResult: BodyParseResult,
): Finding[] {
  const { status } = response;
  const documented = documentedResponse(operation, status);
  const isListed = operation.responses.has(String(status));
  return [
    ...(isListed ? [] : [unlistedStatus(operation, status)]),
    ...(documented?.headers ?? []).flatMap((header) => checkHeader(header, response)),
    ...(documented ? checkBody(documented, request, response, parseResult) : []),
  ];
}

/**
 * Returns true for a 304 to a conditional request: HTTP defines that response, so the operation need not document it.
 */
export function isNotModified({ headers }: ProxiedRequest, { status }: ProxiedResponse): boolean {
  const isConditional = ['If-None-Match', 'If-Modified-Since'].some((name) => headerOf(headers, name) !== undefined);
  return status === 304 && isConditional;
}

/**
 * Finds the documented response to compare with. For an unlisted status, that is the default response if the status is
 * an error, and the first documented success if it is below 300. For a redirect there is none.
 */
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
  const message = `is not documented; documented: ${listed.join(', ')}`;
  // The default response covers every error.
  if (status >= 400 && responses.has('default')) return finding({ part: 'status', rule: 'unlisted-error', message });
  // The only success status that the specification states is that of a new invoice.
  const permittingGaps = status < 300 ? [...gaps, ...successesOf(responses).flatMap((response) => response.gaps)] : [];
  return finding({ part: 'status', rule: 'unlisted', message, gaps: permittingGaps });
}

function checkHeader(header: Parameter, { headers }: ProxiedResponse): Finding[] {
  const { name, required, check, gaps } = header;
  const text = headerOf(headers, name);
  if (text === undefined) {
    return required ? [finding({ part: 'header', at: name, rule: 'missing', message: 'is missing', gaps })] : [];
  }
  return check(parameterValue(header, text)).map((violation) => finding({ ...violation, part: 'header', at: name }));
}

function checkBody(
  { check, gaps }: Response,
  { method }: ProxiedRequest,
  { headers }: ProxiedResponse,
  parseResult: BodyParseResult,
): Finding[] {
  if (!check || method === 'HEAD') return [];
  if (!parseResult) return [finding({ part: 'body', rule: 'missing', message: 'is missing', gaps })];
  const isJson = mediaTypeOf(headers) === 'application/json';
  const wrongType = isJson
    ? []
    : [finding({ part: 'media-type', rule: 'media-type', message: 'must be application/json' })];
  if ('unreadReason' in parseResult) {
    const message = `${parseResult.unreadReason}, so it was not checked`;
    return [...wrongType, finding({ part: 'body', rule: 'unread', message })];
  }
  if ('invalidReason' in parseResult) {
    return isJson ? [finding({ part: 'body', rule: 'json', message: parseResult.invalidReason })] : wrongType;
  }
  const violations = check(parseResult.value);
  return [
    ...wrongType,
    ...violations.map((violation) => finding({ ...violation, part: 'body', at: violation.path.join('.') })),
  ];
}
