import { truncate } from '../../lib/messages.js';
import type { Result } from '../engine/check-clauses.js';
import type { Delivery } from '../engine/delivery.js';
import { type Exchange, textOf } from '../engine/exchange.js';
import { formatExactJson, parseExactJson } from '../engine/json.js';

/** Maximum number of exchanges shown: the last ones, which usually decide the result. */
const maxExchanges = 2;

/** Maximum number of characters of a body that are shown. */
const maxBodyCharacters = 120;

/** Maximum number of fields of a body that are shown. */
const maxFields = 4;

/**
 * Formats the evidence of a result, one line for each of the last exchanges and one for the last webhook: `GET
 * /invoices?page=abc → 422 {"success":false,…`.
 * @param evidenceFields names of the body fields and headers to show. If a body has none of these fields, the line
 * shows the beginning of the body.
 */
export function evidenceLines({ evidence, deliveries }: Result, evidenceFields: readonly string[]): string[] {
  const lines = [
    ...evidence.slice(-maxExchanges).map((exchange) => exchangeLine(exchange, evidenceFields)),
    ...deliveries.slice(-1).map((delivery) => deliveryLine(delivery, evidenceFields)),
  ];
  return lines.map((line) => line.replace(/\s+/g, ' '));
}

function exchangeLine({ call, status, headers, text }: Exchange, evidenceFields: readonly string[]): string {
  const { method, path, body, token } = call;
  const request = [
    `${method} ${path}`,
    ...(token === undefined ? [] : [`(token: ${token})`]),
    ...(body === undefined ? [] : [shortenBody(textOf(body), evidenceFields)]),
  ];
  // A name without a hyphen, such as `date`, is a field of the body, even if a header has the same name.
  const namedHeaders = Object.entries(headers).filter(([name]) => name.includes('-') && evidenceFields.includes(name));
  const response =
    namedHeaders.length > 0
      ? namedHeaders.map((header) => header.join(': ')).join(', ')
      : shortenBody(text, evidenceFields);
  return `${request.join(' ')} → ${status} ${response}`;
}

function deliveryLine({ headers, text }: Delivery, evidenceFields: readonly string[]): string {
  const { 'x-service-event': event = '', ...others } = headers;
  const signatures = Object.entries(others).filter(([, value]) => value.startsWith('sha256='));
  return ['webhook', event, ...signatures.map((header) => header.join(': ')), shortenBody(text, evidenceFields)].join(
    ' ',
  );
}

function shortenBody(text: string, evidenceFields: readonly string[]): string {
  const fields = [...fieldsIn(parseExactJson(text), evidenceFields)].slice(0, maxFields);
  return truncate(fields.length > 0 ? fields.join(', ') : text, maxBodyCharacters);
}

/** Finds fields by name at any depth of a value. */
function* fieldsIn(value: unknown, names: readonly string[], path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    if (names.includes(key)) yield `${fieldPath}: ${formatExactJson(inner)}`;
    else yield* fieldsIn(inner, names, fieldPath);
  }
}
