import { isRecord } from '../../../lib/json.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Call, Exchange } from '../../engine/exchange.js';
import { decimalOf, isClientError, requireSuccess, requireSuccessOrSkip, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isPresent, isSameId } from '../../predicates/matchers.js';
import { readBeforeCreation } from '../first-reads.js';
import { dateInDays } from '../invoice-creation/setups.js';
import { nonexistentIdLike } from '../nonexistent-id.js';
import { readCreatedRecord } from '../read-created-record.js';
import { isSameText } from '../same-values.js';
import { webhookReceiver } from '../webhook-receiver.js';

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

/** Fields of the body of `POST /deposits`. */
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

/** Timestamps that a deposit gets after its creation. */
export const depositTimestamps = ['authorized_at', 'expires_at', 'released_at'] as const;

/** All fields that a deposit may have in responses, in the order in which the `deposit.fields` gap lists them. */
export const depositFields = [
  'id',
  ...creationFields,
  'status',
  'captured_amount',
  'remaining_amount',
  'authorization_url',
  ...depositTimestamps,
  'created_at',
] as const;

/**
 * Amount of most deposits that the suite creates; once authorized, it is held on the guest's card. It is above 1,000, to
 * detect a target that formats amounts with a thousands separator. In floating point, 1025.34 × 100 is less than 102534:
 * a target that truncates instead of rounding loses a cent.
 */
export const heldAmount = 1_025.34;

/** A deposit that the suite created. */
export interface Deposit {
  /** Request that created it, and the response. */
  readonly exchange: Exchange;
  /** The deposit as the target returned it, with its id. */
  readonly record: JsonObject;
  readonly id: number | bigint | string;
  /** Booking reference. */
  readonly reference: string;
  /** `Idempotency-Key` of the create request. */
  readonly key: string;
  /** Body of the create request. */
  readonly body: JsonObject;
  /** Time at which the request was sent, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** A request to create a deposit, and the response, which may be an error. */
export type DepositCreation = Omit<Deposit, 'record' | 'id'>;

/**
 * Requests the creation of a deposit, with all fields and an idempotency key, because the specification does not say
 * which of them are required.
 * @param name part of the booking reference and the key; distinguishes the deposit from others of the run
 */
export async function postNamedDeposit(context: ClauseContext, name: string): Promise<DepositCreation> {
  // Opens the receiver first, so that it gets all webhooks about the deposit.
  await context.runIfPossible(webhookReceiver);
  const reference = context.withRunPrefix(name);
  const key = reference.replaceAll(' ', '-');
  const body = depositBody(reference);
  const sentAt = Date.now();
  return { reference, key, body, sentAt, exchange: await postDeposit(context, key, body) };
}

/** Returns a body for `POST /deposits` with all fields. */
export function depositBody(reference: string): Readonly<Record<CreationField, unknown>> {
  return {
    booking_reference: reference,
    amount: heldAmount,
    currency: 'EUR',
    customer: { name: 'Contract Suite', email: 'guest@example.com' },
    check_in_date: dateInDays(14),
    check_out_date: dateInDays(17),
    metadata: { run: 'one' },
  };
}

/**
 * Requests the creation of a deposit without an idempotency key, and with a fallback key if the target refuses that: the
 * specification does not say whether the key is mandatory. A target must not take two requests without a key for the
 * same request.
 */
export async function postDepositWithoutKey(
  context: ClauseContext,
  body: JsonObject,
  { fallbackKey }: { readonly fallbackKey: string },
): Promise<Exchange> {
  await readBeforeCreation(context, 'deposits');
  const withoutKey = await context.post('/deposits', body);
  return isClientError(withoutKey) ? postDeposit(context, fallbackKey, body) : withoutKey;
}

export async function postDeposit(
  context: ClauseContext,
  key: string,
  body: JsonObject,
  call?: Pick<Call, 'token' | 'isInvalid'>,
): Promise<Exchange> {
  await readBeforeCreation(context, 'deposits');
  return context.post('/deposits', body, { ...call, headers: { 'Idempotency-Key': key } });
}

/**
 * Finds the record and the id of a created deposit.
 * @throws Blocked if it was not created, or no response shows its id
 */
export async function requireCreatedDeposit(context: ClauseContext, creation: DepositCreation): Promise<Deposit> {
  const record = depositRecordIn(requireSuccess(creation.exchange));
  const id = idOf(record);
  if (id !== undefined) return { ...creation, record, id };
  // If the response does not show the id, the list may.
  const { records } = await eventually(
    context,
    () => filteredDeposits(context, { booking_reference: creation.reference }),
    (listed) => listed.records.length > 0,
  );
  // A target that ignores the filter lists deposits of others, too, which the suite must not capture.
  const isOwn = ({ booking_reference: reference }: JsonObject): boolean =>
    isPresent(reference) ? isSameText(reference, creation.reference) : records.length === 1;
  const listedRecord = records.find((deposit) => idOf(deposit) !== undefined && isOwn(deposit));
  const listedId = listedRecord && idOf(listedRecord);
  if (listedId === undefined) throw new Blocked('neither the creation nor the list shows the `id` of the deposit');
  return { ...creation, record: { ...record, ...listedRecord }, id: listedId };
}

/** Creates a deposit. @throws Blocked if it was not created */
export async function createDeposit(context: ClauseContext, name: string): Promise<Deposit> {
  return requireCreatedDeposit(context, await postNamedDeposit(context, name));
}

/**
 * Finds the deposit in a response: `data` itself or a field of `data`, because the specification does not say which.
 * Returns `data` if neither looks like a deposit, and an empty record if `data` is not an object.
 */
export function depositRecordIn({ json }: Exchange): JsonObject {
  const data = valueAt(json, 'data');
  if (!isRecord(data)) return {};
  const isDeposit = (record: JsonObject): boolean => 'authorization_url' in record || 'status' in record;
  return isDeposit(data) ? data : (Object.values(data).filter(isRecord).find(isDeposit) ?? data);
}

/** Id of a deposit; undefined if the record does not show it. */
export function idOf(record: JsonObject): number | bigint | string | undefined {
  const { id } = record;
  return typeof id === 'number' || typeof id === 'bigint' || (typeof id === 'string' && id !== '') ? id : undefined;
}

/** Reads an amount of a deposit; null stands for 0. */
export function amountIn(record: JsonObject, field: string): number | undefined {
  return record[field] === null ? 0 : decimalOf(record[field]);
}

/** A response, and the deposits in it. */
export interface DepositsPage {
  readonly page: Exchange;
  readonly records: readonly JsonObject[];
}

/** True if a page contains the given deposit, or a record without an id: no rule says that deposits show one. */
export function mayInclude(page: DepositsPage, deposit: Pick<Deposit, 'id'>): boolean {
  return possibleRecordOf(page, deposit) !== undefined;
}

/** Finds the record of a deposit on a page, or one without an id; see `mayInclude`. */
function possibleRecordOf({ records }: DepositsPage, { id }: Pick<Deposit, 'id'>): JsonObject | undefined {
  return records.find((record) => idOf(record) === undefined || isSameId(idOf(record), id));
}

/** The part of the specification that clauses about the list of deposits quote. */
export const listEndpoint = {
  level: 'documented',
  operation: 'listDeposits',
  spec: 'GET /deposits',
  quote:
    'Query parameters: `booking_reference` (string), `status` (one of the deposit statuses), `per_page` (integer).',
} as const;

/** Requests the list of deposits. @param filters query parameters */
export function getDeposits(context: ClauseContext, filters: Readonly<Record<string, string>>): Promise<Exchange> {
  return context.get(`/deposits?${new URLSearchParams(filters)}`);
}

/**
 * Returns the deposits in a response. The specification does not say whether this list is paged: the array may be
 * `data` or `data.data`.
 * @throws Blocked if the response contains no array of deposits
 */
export function depositsIn(page: Exchange): DepositsPage {
  const records = depositRecordsIn(requireSuccess(page));
  if (!records) throw new Blocked('GET /deposits returned no array of deposits', page);
  return { page, records };
}

/** Like `depositsIn`, but returns undefined if the response contains no array of deposits. */
export function depositRecordsIn({ json }: Exchange): JsonObject[] | undefined {
  const data = valueAt(json, 'data');
  const records = Array.isArray(data) ? data : valueAt(data, 'data');
  return Array.isArray(records) ? records.filter(isRecord) : undefined;
}

/**
 * True if the list may have more records than the page: `total` exceeds the number of records on the page or, without
 * `total`, the page is not empty. The specification does not show the response of this list.
 */
export function mayHaveMorePages({ page, records }: DepositsPage): boolean {
  const total = decimalOf(valueAt(page.json, 'data.total'));
  return total === undefined ? records.length > 0 : total > records.length;
}

/** Reads the deposits that match filters. @throws Blocked if the response contains no array of deposits */
export async function filteredDeposits(
  context: ClauseContext,
  filters: Readonly<Record<string, string>>,
): Promise<DepositsPage> {
  return depositsIn(await getDeposits(context, filters));
}

/** Path of a deposit, below the base URL. */
export function depositPath({ id }: Pick<Deposit, 'id'>): string {
  return `/deposits/${encodeURIComponent(String(id))}`;
}

/** Requests the capture or the release of a deposit. */
export function postAction(
  context: ClauseContext,
  deposit: Pick<Deposit, 'id'>,
  action: 'capture' | 'release',
  body?: JsonObject,
  call?: Pick<Call, 'isInvalid'>,
): Promise<Exchange> {
  return context.post(`${depositPath(deposit)}/${action}`, body, call);
}

export function readDeposit(context: ClauseContext, deposit: Pick<Deposit, 'id'>): Promise<Exchange> {
  return readCreatedRecord(context, depositPath(deposit));
}

/** Status of a deposit. */
export interface ObservedStatus {
  readonly deposit: Deposit;
  readonly status: unknown;
  /** The deposit in a response, with this status. */
  readonly record: JsonObject;
  /** Exchange whose response shows the status. */
  readonly exchange: Exchange;
}

/** Amounts of a deposit, which the specification does not name: a target may show neither. */
export type DepositAmounts = Readonly<Partial<Record<'captured_amount' | 'remaining_amount', number>>>;

/**
 * Polls a deposit until it has an expected status, or the session's timeout for asynchronous effects has passed. If
 * the record shows no status, filters the list by each status to find it.
 * @param amounts amounts to wait for, too, where the record shows them: a target may update them later than the status
 */
export function waitForStatus(
  context: ClauseContext,
  deposit: Deposit,
  isExpected: (status: unknown) => boolean,
  amounts: DepositAmounts = {},
): Promise<ObservedStatus> {
  const showsAmounts = (record: JsonObject): boolean =>
    Object.entries(amounts).every(
      ([field, amount]) => record[field] === undefined || amountIn(record, field) === amount,
    );
  return eventually(
    context,
    () => readStatus(context, deposit, isExpected),
    ({ status, record }) => isExpected(status) && showsAmounts(record),
  );
}

/**
 * Reads the status of a deposit once, from its record or else by filtering the list by each status.
 * @param isExpected true for the statuses to try first, to save requests
 */
export async function readStatus(
  context: ClauseContext,
  deposit: Deposit,
  isExpected: (status: unknown) => boolean = () => false,
): Promise<ObservedStatus> {
  const exchange = requireSuccess(await readDeposit(context, deposit));
  const record = depositRecordIn(exchange);
  const { status } = record;
  return isPresent(status) ? { deposit, status, record, exchange } : statusByFilter(context, deposit, isExpected);
}

async function statusByFilter(
  context: ClauseContext,
  deposit: Deposit,
  isExpected: (status: unknown) => boolean,
): Promise<ObservedStatus> {
  const expectedFirst = [...depositStatuses].sort((a, b) => Number(isExpected(b)) - Number(isExpected(a)));
  for (const status of expectedFirst) {
    const found = await filteredDeposits(context, { booking_reference: deposit.reference, status });
    const record = possibleRecordOf(found, deposit);
    if (record) return { deposit, status, record, exchange: found.page };
  }
  throw new Blocked('neither the record of a deposit nor the filter shows its status');
}

/** Creates the deposit that most clauses use. */
export const depositCreation = setup('the creation of a deposit', (context) => postNamedDeposit(context, 'booking'));
export const newDeposit = setup('a new deposit', async (context) =>
  requireCreatedDeposit(context, await context.use(depositCreation)),
);
export const newDepositDetails = setup('the details of a new deposit', async (context) =>
  readDeposit(context, await context.use(newDeposit)),
);

/**
 * A deposit that does not exist: its id is in the format of the target's ids.
 * @throws Skip if no deposit shows the format
 */
export const nonexistentDeposit = setup('a deposit that does not exist', async (context) => {
  const existingId = (await ifPossible(context.use(newDeposit)))?.id ?? (await someListedId(context));
  const id = existingId === undefined ? undefined : nonexistentIdLike(String(existingId));
  if (id === undefined)
    throw new Skip({ missing: 'a deposit', reason: 'none shows an `id`, so the format of ids is unknown' });
  return { id };
});

/** Booking reference that consists of digits and begins with zeros. */
export function digitReference({ session }: ClauseContext): string {
  return `00${Number.parseInt(session.runId, 16)}`;
}

/**
 * The creation of a deposit with a booking reference of digits, and with metadata that has several types of values.
 * @throws Skip if the target refuses it: the specification does not say which metadata is accepted
 */
export const digitReferenceCreation = setup('a deposit with a reference of digits', async (context) => {
  const body = {
    ...depositBody(digitReference(context)),
    metadata: { run: 'one', roomNo: '012', 'Guest No. 1': 'Ada', nights: 3, late: false },
  };
  const fallbackKey = `${context.session.prefix}-digits`;
  return requireSuccessOrSkip(await postDepositWithoutKey(context, body, { fallbackKey }), {
    missing: 'metadata with several types of values',
    reason: 'the deposit is refused, and the specification does not say which metadata is accepted',
  });
});

/**
 * The creation of a deposit with empty metadata.
 * @throws Skip if the target refuses it: the specification does not say whether metadata is required
 */
export const emptyMetadataCreation = setup('a deposit with empty metadata', async (context) => {
  const body = { ...depositBody(context.withRunPrefix('empty metadata')), metadata: {} };
  return requireSuccessOrSkip(await postDeposit(context, `${context.session.prefix}-empty-metadata`, body), {
    missing: 'a deposit with empty metadata',
    reason: 'empty metadata is refused, and the specification does not say whether metadata is required',
  });
});

/** Returns the response to a create request and, if that shows the id of the deposit, the response to a read of it. */
export async function creationAndDetails(context: ClauseContext, creation: Exchange): Promise<readonly Exchange[]> {
  const id = idOf(depositRecordIn(creation));
  return id === undefined ? [creation] : [creation, requireSuccess(await readDeposit(context, { id }))];
}

async function someListedId(context: ClauseContext): Promise<number | bigint | string | undefined> {
  return depositsIn(await getDeposits(context, { per_page: '1' }))
    .records.map(idOf)
    .find((id) => id !== undefined);
}
