import type { JsonObject } from './json.js';
import { invalid, problemText, refusal } from './refusal.js';
import { extra } from './render.js';
import { type Answer, firstOf, type World } from './world.js';

export function ok({ choices }: World, data: JsonObject | JsonObject[], status = 200): Answer {
  return { status, headers: {}, body: { success: true, data, ...extra(choices, { message: 'Alles gut', meta: {} }) } };
}

type ListOperation = 'invoice-list' | 'link-list' | 'payment-list' | 'deposit-list';

function sizesOf(world: World, operation: ListOperation): { size: number; maximum: number } {
  const sizes = { size: operation === 'deposit-list' ? world.choices.depositPageSize : 25, maximum: 100 };
  if (world.fault === `${operation}-default-20`) sizes.size = 20;
  if (world.fault === `${operation}-maximum-101`) sizes.maximum = 101;
  if (world.fault === `${operation}-maximum-50`) sizes.maximum = 50;
  return sizes;
}

function count(world: World, query: URLSearchParams, name: string, standard: number, maximum = Infinity): number {
  const { choices } = world;
  const given = query.get(name);
  if (given === null) return standard;
  const value = /^[1-9]\d*$/.test(given) ? Number(given) : undefined;
  if (value !== undefined && value <= maximum) return value;
  const allowed = value === undefined ? choices.badQuery === 'ignored' : choices.overMaximum === 'clamped';
  if (!allowed) throw invalid(choices, { [name]: [problemText(choices, name, 'choice')] });
  return value === undefined ? standard : maximum;
}

function inOrder<T>({ choices }: World, records: readonly T[]): T[] {
  if (choices.order === 'oldest') return [...records];
  if (choices.order === 'newest') return records.toReversed();
  // A fixed place for each, as by a hash, so that pages still fit together.
  return records
    .map((record, index) => ({ record, place: (index * 7919) % 10_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ record }) => record);
}

/** A page of records, oldest first, in the pagination envelope. */
export function listed<T>(
  world: World,
  operation: ListOperation,
  query: URLSearchParams,
  records: readonly T[],
  view: (record: T) => JsonObject,
): Answer {
  const { choices, fault } = world;
  const isInvoices = operation === 'invoice-list';
  const { size: standard, maximum } = sizesOf(world, operation);
  const size = count(world, query, 'per_page', standard, maximum);
  const requested =
    isInvoices || choices.pageEverywhere
      ? count(world, query, 'page', isInvoices && fault === 'page-default-2' ? 2 : 1)
      : 1;
  const lastPage = Math.max(1, Math.ceil(records.length / size));
  if (requested > lastPage && choices.beyondEnd === 'missing') throw refusal(choices, 404, 'page');
  const page = choices.beyondEnd === 'last' ? Math.min(requested, lastPage) : requested;

  const taken = fault === `${operation}-size-ignored` ? standard : size;
  let from = (page - 1) * taken;
  if (isInvoices && page > 1) {
    if (fault === 'page-repeats-record') from -= 1;
    if (fault === 'page-skips-record') from += 1;
    if (fault === 'page-ignored') from = 0;
  }
  const extent = isInvoices && fault === 'page-too-full' ? taken + 1 : taken;
  return ok(world, {
    current_page: page,
    data: inOrder(world, records)
      .slice(from, from + extent)
      .map(view),
    per_page: size,
    total: fault === `${operation}-total-stale` ? firstOf(world, 'total', records.length) : records.length,
    ...(isInvoices || choices.lastPageEverywhere ? { last_page: lastPage } : {}),
    ...extra(choices, { from: from + 1, path: '/', links: [] }),
  });
}
