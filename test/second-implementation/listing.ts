import type { JsonObject } from './json.js';
import { undocumentedFields } from './render.js';
import { problemText, serviceError, validationError } from './service-error.js';
import { rememberFirst, type ServiceResponse, type World } from './world.js';

/** Returns a successful response with the common envelope. */
export function ok({ choices }: World, data: JsonObject | JsonObject[], status = 200): ServiceResponse {
  return {
    status,
    headers: {},
    body: { success: true, data, ...undocumentedFields(choices, { message: 'Alles gut', meta: {} }) },
  };
}

type ListOperation = 'invoice-list' | 'link-list' | 'payment-list' | 'deposit-list';

function pageSizesOf(world: World, operation: ListOperation): { defaultSize: number; maximum: number } {
  const sizes = { defaultSize: operation === 'deposit-list' ? world.choices.depositPageSize : 25, maximum: 100 };
  if (world.fault === `${operation}-default-20`) sizes.defaultSize = 20;
  if (world.fault === `${operation}-maximum-101`) sizes.maximum = 101;
  if (world.fault === `${operation}-maximum-50`) sizes.maximum = 50;
  return sizes;
}

/** Reads a query parameter. The variant refuses an invalid value, or replaces it with the default or the maximum. */
function positiveIntegerParameter(
  world: World,
  query: URLSearchParams,
  name: string,
  { defaultValue, maximum = Infinity }: { readonly defaultValue: number; readonly maximum?: number },
): number {
  const { choices } = world;
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  if (value !== undefined && value <= maximum) return value;
  if (world.fault === 'page-size-negative-unlimited' && /^-\d+$/.test(text)) return 1_000_000;
  const isTolerated =
    value === undefined ? choices.invalidQuery === 'ignored' : choices.pageSizeAboveMaximum === 'clamped';
  if (!isTolerated) throw validationError(choices, { [name]: [problemText(choices, name, 'notAllowed')] });
  return value === undefined ? defaultValue : maximum;
}

/** Sorts records as the variant lists them. The records are passed in order of creation. */
function inOrder<T>({ choices }: World, records: readonly T[]): T[] {
  if (choices.listOrder === 'oldest') return [...records];
  if (choices.listOrder === 'newest') return records.toReversed();
  // Shuffles by a position that is the same in each request, so that pages do not overlap. Both numbers are primes, so
  // up to 10,007 records have different positions.
  return records
    .map((record, index) => ({ record, position: (index * 7919) % 10_007 }))
    .sort((a, b) => a.position - b.position)
    .map(({ record }) => record);
}

/** Returns a page in the pagination envelope. The records are passed in order of creation. */
export function pageOf<T>(
  world: World,
  operation: ListOperation,
  query: URLSearchParams,
  records: readonly T[],
  view: (record: T) => JsonObject,
): ServiceResponse {
  const { choices, fault } = world;
  const isInvoices = operation === 'invoice-list';
  const { defaultSize, maximum } = pageSizesOf(world, operation);
  const size = positiveIntegerParameter(world, query, 'per_page', { defaultValue: defaultSize, maximum });
  const requestedPage =
    isInvoices || choices.allListsAcceptPage
      ? positiveIntegerParameter(world, query, 'page', {
          defaultValue: isInvoices && fault === 'page-default-2' ? 2 : 1,
        })
      : 1;
  const lastPage = Math.max(1, Math.ceil(records.length / size));
  if (requestedPage > lastPage && choices.pageAfterLast === 'missing') throw serviceError(choices, 404, 'pageNotFound');
  const page = choices.pageAfterLast === 'last' ? Math.min(requestedPage, lastPage) : requestedPage;

  const appliedSize = fault === `${operation}-size-ignored` ? defaultSize : size;
  const isPageIgnored = fault === 'page-without-size-ignored' && !query.has('per_page');
  let startIndex = isPageIgnored ? 0 : (page - 1) * appliedSize;
  if (isInvoices && page > 1) {
    if (fault === 'page-repeats-record') startIndex -= 1;
    if (fault === 'page-skips-record') startIndex += 1;
    if (fault === 'page-ignored') startIndex = 0;
    if (fault === 'third-page-repeats-record' && page === 3) startIndex -= 1;
  }
  let recordCount = isInvoices && fault === 'page-too-full' ? appliedSize + 1 : appliedSize;
  if (isInvoices && fault === 'last-page-incomplete' && page > 1 && page === lastPage)
    recordCount = records.length - startIndex - 1;
  if (fault === `${operation}-largest-page-short` && size === maximum)
    recordCount = Math.min(recordCount, records.length) - 1;
  return ok(world, {
    current_page: page,
    data: inOrder(world, records)
      .slice(startIndex, startIndex + recordCount)
      .map(view),
    per_page: size,
    total: fault === `${operation}-total-stale` ? rememberFirst(world, 'total', records.length) : records.length,
    ...(isInvoices || choices.allListsHaveLastPage ? { last_page: lastPage } : {}),
    ...undocumentedFields(choices, { from: startIndex + 1, path: '/', links: [] }),
  });
}
