import { isRecord } from '../../../lib/is-record.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { succeeded, valueAt } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import type { Row } from '../invoice-creation/setups.js';
import { webhooks } from '../webhook-receiver.js';

export const depositStatuses = [
  'pending',
  'authorized',
  'partially_captured',
  'captured',
  'released',
  'expired',
  'failed',
] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** Fields that a deposit is created with. */
export const creationFields = [
  'booking_reference',
  'amount',
  'currency',
  'customer',
  'check_in_date',
  'check_out_date',
  'metadata',
] as const;
export type CreationField = (typeof creationFields)[number];

/** Fields that time fills in. */
export const depositMoments = ['authorized_at', 'expires_at', 'released_at'] as const;

/** Every field that the specification names, in the order of the gap registry. */
export const depositFields = [
  'id',
  ...creationFields,
  'status',
  'captured_amount',
  'remaining_amount',
  'authorization_url',
  ...depositMoments,
  'created_at',
] as const;

/** The amount held, and the part of it that is captured by a partial capture. */
export const heldAmount = 150.75;

/** A deposit that the suite has made. */
export interface Deposit {
  /** Its creation. */
  readonly exchange: Exchange;
  /** The deposit as the target returned it, with its id. */
  readonly record: Row;
  readonly id: number | bigint | string;
  readonly reference: string;
  readonly key: string;
  readonly body: Row;
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
}

/** A request for a deposit, and what came of it. */
export type DepositAnswer = Omit<Deposit, 'record' | 'id'>;

/**
 * Asks for a deposit. All fields are given, and a key: which of them are required is open.
 * @param name tells it from the others of the run
 */
export async function askForDeposit(context: ClauseContext, name: string): Promise<DepositAnswer> {
  // Its webhooks come to the suite from the start.
  await context.after(webhooks);
  const reference = context.text(name);
  const key = reference.replaceAll(' ', '-');
  const body = depositBody(context, reference);
  const at = Date.now();
  return { reference, key, body, at, exchange: await postDeposit(context, key, body) };
}

/** The body of a deposit with all fields. */
export function depositBody(context: ClauseContext, reference: string): Readonly<Record<CreationField, unknown>> {
  return {
    booking_reference: reference,
    amount: heldAmount,
    currency: 'EUR',
    customer: { name: 'Contract Suite', email: 'guest@example.com' },
    check_in_date: dayIn(14),
    check_out_date: dayIn(17),
    metadata: { run: context.session.prefix },
  };
}

export function postDeposit(context: ClauseContext, key: string, body: Row): Promise<Exchange> {
  return context.post('/deposits', body, { headers: { 'Idempotency-Key': key } });
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The deposit that was made. @throws Blocked unless it was, or where nothing says what its id is */
export async function madeDeposit(context: ClauseContext, answer: DepositAnswer): Promise<Deposit> {
  const record: Row = recordIn(succeeded(answer.exchange)) ?? {};
  const id = idOf(record);
  if (id !== undefined) return { ...answer, record, id };
  // The answer need not show it; then the list may.
  const { rows } = await eventually(
    context,
    () => filteredDeposits(context, { booking_reference: answer.reference }),
    (listed) => listed.rows.length > 0,
  );
  const row = rows.find((one) => idOf(one) !== undefined);
  const listedId = row && idOf(row);
  if (listedId === undefined) throw new Blocked('neither the creation nor the list shows the `id` of the deposit');
  return { ...answer, record: { ...record, ...row }, id: listedId };
}

/** Makes a deposit. @throws Blocked */
export async function makeDeposit(context: ClauseContext, name: string): Promise<Deposit> {
  return madeDeposit(context, await askForDeposit(context, name));
}

/** The record of a deposit in an answer. Where it is need not be `data` itself: fields are not shown. */
export function recordIn({ json }: Exchange): Row | undefined {
  const data = valueAt(json, 'data');
  if (!isRecord(data)) return undefined;
  const isDeposit = (record: Row): boolean => 'authorization_url' in record || 'status' in record;
  return isDeposit(data) ? data : (Object.values(data).filter(isRecord).find(isDeposit) ?? data);
}

/** The link for the guest, wherever it is in the answer to a creation. */
export function authorizationUrl({ json }: Exchange): unknown {
  let level: unknown[] = [json];
  while (level.length > 0) {
    const records = level.filter(isRecord);
    const found = records.find((record) => 'authorization_url' in record);
    if (found) return found['authorization_url'];
    level = records.flatMap((record) => Object.values(record));
  }
  return undefined;
}

function idOf(record: Row): number | bigint | string | undefined {
  const { id } = record;
  return typeof id === 'number' || typeof id === 'bigint' || (typeof id === 'string' && id !== '') ? id : undefined;
}

export interface DepositsPage {
  readonly page: Exchange;
  readonly rows: readonly Row[];
}

/** Asks for deposits by filters. */
export function askForDeposits(context: ClauseContext, filters: Readonly<Record<string, string>>): Promise<Exchange> {
  return context.get(`/deposits?${new URLSearchParams(filters)}`);
}

/**
 * The deposits in a response. The specification shows neither the paging of this list nor the fields of its records.
 * @throws Blocked if the response contains no array of deposits
 */
export function depositsIn(page: Exchange): DepositsPage {
  const data = valueAt(succeeded(page).json, 'data');
  const rows = Array.isArray(data) ? data : valueAt(data, 'data');
  if (!Array.isArray(rows)) throw new Blocked('GET /deposits has returned no array of deposits', page);
  return { page, rows: rows.filter(isRecord) };
}

/** Deposits by filters. @throws Blocked */
export async function filteredDeposits(
  context: ClauseContext,
  filters: Readonly<Record<string, string>>,
): Promise<DepositsPage> {
  return depositsIn(await askForDeposits(context, filters));
}

function readDeposit(context: ClauseContext, { id }: Deposit): Promise<Exchange> {
  return context.get(`/deposits/${encodeURIComponent(String(id))}`);
}

/** The status of a deposit, and the exchange that shows it. */
export interface Shown {
  readonly status: unknown;
  readonly page: Exchange;
}

/**
 * The status of a deposit, once it is one of those that are waited for, or the timeout has passed. Where records show no
 * status, the filter tells whether it is one of those.
 */
export function statusOf(
  context: ClauseContext,
  deposit: Deposit,
  isAwaited: (status: unknown) => boolean,
): Promise<Shown> {
  return eventually(
    context,
    async () => {
      const page = succeeded(await readDeposit(context, deposit));
      const { status } = recordIn(page) ?? {};
      return status === undefined ? statusByFilter(context, deposit, isAwaited) : { status, page };
    },
    ({ status }) => isAwaited(status),
  );
}

async function statusByFilter(
  context: ClauseContext,
  { reference }: Deposit,
  isAwaited: (status: unknown) => boolean,
): Promise<Shown> {
  const inOrder = [...depositStatuses].sort((one, other) => Number(isAwaited(other)) - Number(isAwaited(one)));
  for (const status of inOrder) {
    const { page, rows } = await filteredDeposits(context, { booking_reference: reference, status });
    if (rows.length > 0) return { status, page };
  }
  throw new Blocked('neither the record of a deposit nor the filter says what status it has');
}

/** The creation that the first clauses are about. */
export const depositAnswer = setup('the creation of a deposit', (context) => askForDeposit(context, 'booking'));
export const newDeposit = setup('a new deposit', async (context) =>
  madeDeposit(context, await context.use(depositAnswer)),
);
export const readNewDeposit = setup('a new deposit, read', async (context) =>
  readDeposit(context, await context.use(newDeposit)),
);
