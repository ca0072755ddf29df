import { valueAt } from '../contract/predicates/matchers.js';
import { defaultPerPage } from '../contract/predicates/statements.js';
import { type Finding, findingOn } from './deviation.js';
import type { ProxiedRequest } from './exchange.js';
import { listOf } from './tree.js';

/** A field of a page that repeats a query parameter, or its default. */
interface RepeatedParameter {
  readonly field: 'per_page' | 'current_page';
  readonly parameter: 'per_page' | 'page';
  readonly defaultValue: number;
}

const pageSize: RepeatedParameter = { field: 'per_page', parameter: 'per_page', defaultValue: defaultPerPage };
const pageNumber: RepeatedParameter = { field: 'current_page', parameter: 'page', defaultValue: 1 };

/** The documented parameters of lists, by operationId. The specification says less about the list of deposits. */
const parametersOfLists: Readonly<Record<string, readonly RepeatedParameter[]>> = {
  listInvoices: [pageSize, pageNumber],
  listPaymentLinks: [pageSize],
  listPayments: [pageSize],
};

const finding = findingOn('response');

/**
 * Checks that a page of a list is the requested one, and has at most as many records as its `per_page` and `total` say.
 * @param operationId names the operation; only pages of lists are checked
 * @param found other findings of the exchange. A field that repeats an invalid parameter is not checked, because such a
 *   parameter may have any effect.
 */
export function checkPage(
  operationId: string,
  { query }: ProxiedRequest,
  body: unknown,
  found: readonly Finding[],
): Finding[] {
  const repeated = parametersOfLists[operationId];
  if (!repeated) return [];
  const parameters = new URLSearchParams(query);
  const recordCount = listOf(valueAt(body, 'data.data')).length;
  const [size, total] = [valueAt(body, 'data.per_page'), valueAt(body, 'data.total')];
  const isOverfull = typeof size === 'number' && size > 0 && recordCount > size;
  const exceedsTotal = typeof total === 'number' && recordCount > total;
  return [
    ...repeated
      .filter(({ parameter }) => !found.some(({ part, at }) => part === 'query' && at === parameter))
      .flatMap((field) => checkRepeated(field, parameters.getAll(field.parameter), body)),
    ...(isOverfull
      ? [finding({ part: 'body', at: 'data.data', rule: 'maxItems', message: 'has more records than `per_page`' })]
      : []),
    ...(exceedsTotal
      ? [finding({ part: 'body', at: 'data.total', rule: 'minimum', message: 'is less than the number of records' })]
      : []),
  ];
}

/**
 * @param texts the values of the parameter in the query. The specification does not say what empty, invalid or repeated
 *   ones mean, so they are not checked.
 */
function checkRepeated(
  { field, parameter, defaultValue }: RepeatedParameter,
  texts: readonly string[],
  body: unknown,
): Finding[] {
  const [text = String(defaultValue), ...others] = texts;
  const [at, requested] = [`data.${field}`, Number(text)];
  const value = valueAt(body, at);
  // Beyond 2^53, a service may limit or round the number.
  const isExact = /^(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(requested);
  const isComparable = others.length === 0 && isExact && typeof value === 'number';
  // For a page beyond the last one, the service may return the last one (gap page.beyond-end).
  const isLastPage = field === 'current_page' && value === valueAt(body, 'data.last_page') && Number(value) < requested;
  if (!isComparable || value === requested || isLastPage) return [];
  const message =
    texts.length === 0 ? `must be ${defaultValue}, the default` : `must be the requested \`${parameter}\``;
  return [finding({ part: 'body', at, rule: 'const', message })];
}
