import { randomUUID } from 'node:crypto';
import { BodyFields } from './body-fields.js';
import { centsOf, isWholeCents } from './decimals.js';
import { isObject } from './json.js';
import { ok, pageOf } from './listing.js';
import { problemText, serviceError, validationError } from './service-error.js';
import { depositView } from './views.js';
import {
  type ApiRequest,
  type Deposit,
  type DepositRequest,
  depositStatuses,
  type EventName,
  type Handler,
  nextId,
  type ServiceResponse,
  type World,
} from './world.js';

const creationFields = [
  'booking_reference',
  'amount',
  'currency',
  'customer',
  'check_in_date',
  'check_out_date',
  'metadata',
];

/** Sets the status of a deposit, and sends the webhook of the event. */
export function changeStatus(world: World, deposit: Deposit, status: Deposit['status'], event: EventName): void {
  deposit.status = status;
  world.emit(event, depositView(world, deposit));
}

function newId({ choices, deposits }: World): number | string {
  if (choices.depositIds === 'integer') return nextId(deposits);
  return choices.depositIds === 'uuid' ? randomUUID() : `dep_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

/** Stores a new pending deposit, and sends the `deposit.created` webhook. */
export function storeDeposit(world: World, request: DepositRequest): Deposit {
  const deposit: Deposit = { ...request, id: newId(world), createdAt: Date.now(), status: 'pending', captured: 0 };
  world.deposits.set(deposit.id, deposit);
  world.emit('deposit.created', depositView(world, deposit, { isCreation: true }));
  return deposit;
}

/** Returns true if some or all of the deposit's amount is still held on the guest's card. */
export const isHeld = ({ status }: Deposit): boolean => status === 'authorized' || status === 'partially_captured';

function readDepositRequest(world: World, { body }: ApiRequest): DepositRequest {
  const { choices } = world;
  const fields = new BodyFields(world, 'deposit-create', body);
  for (const field of creationFields) {
    if (choices.depositRequired.includes(field) && body[field] === undefined) fields.addProblem(field, 'required');
  }
  const amount = fields.optionalNumber('amount', { minimum: choices.minDepositAmount }) ?? 1;
  if (amount <= 0 || !isWholeCents(amount)) fields.addProblem('amount', 'positiveCents');
  const currency = fields.optionalText('currency') ?? choices.currency;
  if (!/^[A-Z]{3}$/.test(currency)) fields.addProblem('currency', 'notAllowed');
  const checkInDate = fields.optionalDate('check_in_date');
  const checkOutDate = fields.optionalDate('check_out_date');
  const isReversed = checkInDate !== undefined && checkOutDate !== undefined && checkOutDate < checkInDate;
  if (isReversed && choices.reversedDates === 'refused') fields.addProblem('check_out_date', 'beforeOtherDate');
  const request: DepositRequest = {
    bookingReference: fields.optionalText('booking_reference'),
    amount: world.fault === 'deposit-amount-truncates-cents' ? Math.trunc(amount * 100) : centsOf(amount),
    currency,
    customer: fields.optionalObject('customer'),
    checkInDate,
    checkOutDate,
    metadata: fields.optionalObject('metadata'),
  };
  if (world.fault === 'metadata-refused' && request.metadata !== undefined) fields.addProblem('metadata', 'unknown');
  fields.throwIfInvalid();
  return request;
}

/** Builds the response to a create request, with the current state of the deposit. */
function creationResponse(world: World, deposit: Deposit): ServiceResponse {
  return ok(world, depositView(world, deposit, { isCreation: true }), world.choices.createdStatus);
}

function keyOf({ fault }: World, { idempotencyKey }: ApiRequest): string | undefined {
  if (fault === 'keyless-requests-share-a-key') return idempotencyKey ?? '';
  if (fault === 'replay-ignores-key-case') return idempotencyKey?.toLowerCase();
  if (fault === 'replay-ignores-punctuation') return idempotencyKey?.replace(/\W/g, '');
  return fault === 'replay-cuts-keys' ? idempotencyKey?.slice(0, 36) : idempotencyKey;
}

/**
 * Returns the response to a request whose idempotency key is known. Returns undefined if the key is new, or if a fault
 * makes the service treat it as new. Throws if the variant refuses a key that was first used with another body.
 */
function replay(world: World, request: ApiRequest): ServiceResponse | undefined {
  const { choices, fault } = world;
  const key = keyOf(world, request) ?? '';
  const keyedResponse = world.keyedResponses.get(key);
  if (keyedResponse === undefined || fault === 'replay-creates-new-deposit') return undefined;
  if (fault === 'replay-only-last-key' && [...world.keyedResponses.keys()].at(-1) !== key) return undefined;
  const isOtherRequest = keyedResponse.requestBody !== JSON.stringify(request.body);
  if (fault === 'replay-compares-bodies' && isOtherRequest) return undefined;
  const { status: depositStatus } = keyedResponse.deposit;
  if (depositStatus !== 'pending' && fault === 'replay-forgets-authorized') return undefined;
  if (fault === `replay-forgets-${depositStatus}`) return undefined;
  keyedResponse.replayCount += 1;
  if (fault === 'replay-creates-third-time' && keyedResponse.replayCount === 3) return undefined;
  const mayRefuse = choices.reusedKey === 'refused' && fault !== 'keyless-requests-share-a-key';
  if (isOtherRequest && mayRefuse) {
    if (fault === 'replay-forgets-key-after-refusal') world.keyedResponses.delete(key);
    throw serviceError(choices, 422, 'keyMismatch');
  }
  if (fault === 'replay-stores-duplicate') storeDeposit(world, keyedResponse.deposit);
  const { body } =
    choices.replayBody === 'first' ? keyedResponse.response : creationResponse(world, keyedResponse.deposit);
  const status = choices.replayStatus === 'ok' ? 200 : keyedResponse.response.status;
  return { status, headers: {}, body: structuredClone(body) };
}

export const createDeposit: Handler = (world, request) => {
  const { choices, keyedResponses } = world;
  const idempotencyKey = keyOf(world, request);
  if (idempotencyKey === undefined && choices.keyRequired) throw serviceError(choices, 400, 'keyRequired');
  const { 'Idempotency-Key': maxKeyLength = Infinity } = choices.maxLengths;
  if (idempotencyKey !== undefined && idempotencyKey.length > maxKeyLength)
    throw serviceError(choices, 400, 'keyTooLong');
  const replayed = idempotencyKey === undefined ? undefined : replay(world, request);
  if (replayed !== undefined) return replayed;
  const deposit = storeDeposit(world, readDepositRequest(world, request));
  const response = creationResponse(world, deposit);
  if (idempotencyKey !== undefined) {
    keyedResponses.set(idempotencyKey, {
      requestBody: JSON.stringify(request.body),
      replayCount: 0,
      deposit,
      response: { ...response, body: structuredClone(response.body) },
    });
  }
  return response;
};

export const listDeposits: Handler = (world, { query }) => {
  const { choices, fault } = world;
  const booking = fault === 'filter-booking-ignored' ? null : query.get('booking_reference');
  const status = fault === 'filter-deposit-status-ignored' ? null : query.get('status');
  const isKnownStatus =
    depositStatuses.some((known) => known === status) &&
    !(fault === 'filter-deposit-status-refused' && status === 'partially_captured');
  if (status !== null && !isKnownStatus && choices.invalidQuery === 'refused') {
    throw validationError(choices, { status: [problemText(choices, 'status', 'notAllowed')] });
  }
  const found = [...world.deposits.values()].filter(
    (deposit) =>
      (booking === null || isOfBooking(world, deposit, booking)) &&
      (status === null ||
        !isKnownStatus ||
        (fault === 'filter-authorized-with-captured' && status === 'authorized' && isHeld(deposit)) ||
        (fault === 'filter-deposit-status-stale' ? status === 'pending' : deposit.status === status)),
  );
  const response = pageOf(world, 'deposit-list', query, found, (deposit) => depositView(world, deposit));
  const { data } = response.body;
  if (fault === 'deposit-filter-total-unfiltered' && isObject(data)) data['total'] = world.deposits.size;
  return response;
};

function isOfBooking({ fault }: World, { bookingReference = '', status }: Deposit, reference: string): boolean {
  if (fault === `filter-booking-omits-${status}`) return false;
  if (fault === 'filter-booking-splits-at-comma') return reference.split(',').includes(bookingReference);
  if (fault === 'filter-booking-decoded-twice') return bookingReference === reference.replaceAll('%41', 'A');
  if (fault === 'filter-booking-percent' && reference.endsWith('%'))
    return bookingReference.startsWith(reference.slice(0, -1));
  if (fault === 'filter-booking-underscore' && bookingReference.length === reference.length)
    return [...reference].every((character, index) => character === '_' || character === bookingReference[index]);
  if (fault === 'filter-booking-number' && /^\d+$/.test(reference))
    return Number(bookingReference) === Number(reference);
  return bookingReference === reference && !(fault === 'filter-booking-ascii' && /[^ -~]/.test(reference));
}

/** Returns the other deposits of the same booking that are held, for faults that affect them by mistake. */
const otherHoldsOfBooking = ({ deposits }: World, deposit: Deposit): Deposit[] =>
  [...deposits.values()].filter(
    (other) => other !== deposit && isHeld(other) && other.bookingReference === deposit.bookingReference,
  );

function findDeposit({ deposits, choices }: World, id: string): Deposit {
  const deposit = deposits.get(choices.depositIds === 'integer' ? Number(id) : id);
  if (deposit === undefined) throw serviceError(choices, 404, 'depositNotFound');
  return deposit;
}

export const readDeposit: Handler = (world, { id }) => {
  const deposit = findDeposit(world, id);
  const latest = [...world.deposits.values()].at(-1);
  return ok(world, depositView(world, world.fault === 'deposit-detail-always-newest' ? (latest ?? deposit) : deposit));
};

/** Converts an amount to cents by mistake: 25.5 is read as 25 euros and 5 cents. */
function decimalsAsCents(value: number): number {
  const [euros, cents = '0'] = String(value).split('.');
  return Number(euros) * 100 + Number(cents);
}

export const captureDeposit: Handler = (world, { id, body }) => {
  const { choices, fault } = world;
  const deposit = findDeposit(world, id);
  const fields = new BodyFields(world, 'deposit-capture', body);
  const amount = fields.optionalNumber('amount', { minimum: choices.minCaptureAmount });
  const description = fields.optionalText('description');
  if (amount !== undefined && (amount <= 0 || !isWholeCents(amount))) fields.addProblem('amount', 'positiveCents');
  if (fault === 'capture-description-refused' && description !== undefined) fields.addProblem('description', 'unknown');
  fields.throwIfInvalid();
  if (fault === 'refused-capture-sends-captured' && deposit.status === 'expired')
    world.emit('deposit.captured', depositView(world, deposit));
  if (!isHeld(deposit)) throw serviceError(choices, choices.wrongStateStatus, 'statusNotAllowed');

  const remaining = deposit.amount - deposit.captured;
  const toCents = (value: number): number => {
    if (fault === 'capture-reads-decimals-as-cents') return decimalsAsCents(value);
    return fault === 'capture-truncates-cents' ? Math.trunc(value * 100) : centsOf(value);
  };
  const requestedCents = amount === undefined ? remaining : toCents(amount);
  const maximumCents = fault === 'capture-above-remainder' && amount !== undefined ? deposit.amount : remaining;
  const isRemainderRefused = fault === 'capture-of-remainder-refused' && amount !== undefined;
  const isFloatingPointSumAbove =
    fault === 'capture-adds-floating-point' && deposit.captured / 100 + requestedCents / 100 > deposit.amount / 100;
  if (
    (requestedCents > maximumCents && choices.overCapture === 'refused') ||
    (requestedCents === remaining && isRemainderRefused) ||
    isFloatingPointSumAbove
  )
    throw serviceError(choices, 422, 'amountAboveRemaining');
  let capturedCents = Math.min(requestedCents, maximumCents);
  if (fault === 'capture-all-takes-half' && amount === undefined) capturedCents = Math.ceil(remaining / 2);
  if (fault === 'capture-part-takes-all' && amount !== undefined) capturedCents = remaining;
  if (fault === 'capture-takes-nothing') capturedCents = 0;
  if (fault === 'capture-of-dollars-takes-nothing' && deposit.currency === 'USD') capturedCents = 0;
  if (fault === 'capture-counts-only-last-part') deposit.captured = 0;
  deposit.captured += capturedCents;
  if (fault === 'capture-affects-whole-booking')
    for (const other of otherHoldsOfBooking(world, deposit)) other.status = 'partially_captured';
  const isCaptured =
    deposit.captured === deposit.amount && !(fault === 'capture-of-remainder-partial' && amount !== undefined);
  if (isCaptured || choices.isCaptureFinal) {
    const isRemainder = deposit.status === 'partially_captured';
    const event =
      fault === 'remainder-capture-sends-partially-captured' && isRemainder
        ? 'deposit.partially_captured'
        : 'deposit.captured';
    changeStatus(world, deposit, 'captured', event);
    if (fault === 'full-capture-sends-released') world.emit('deposit.released', depositView(world, deposit));
  } else changeStatus(world, deposit, 'partially_captured', 'deposit.partially_captured');
  return ok(world, depositView(world, deposit), choices.actionStatus);
};

export const releaseDeposit: Handler = (world, { id }) => {
  const { choices, fault } = world;
  const deposit = findDeposit(world, id);
  const isRepeated = deposit.status === 'released' && choices.repeatedRelease === 'accepted';
  const isRefused = deposit.captured > 0 && choices.releaseAfterCapture === 'refused';
  if (isRefused || (!isHeld(deposit) && !isRepeated))
    throw serviceError(choices, choices.wrongStateStatus, 'statusNotAllowed');
  if (!isRepeated && fault !== 'release-keeps-hold') {
    const status = deposit.captured > 0 ? choices.statusAfterPartialRelease : 'released';
    if (fault === 'release-takes-captured-back') deposit.captured = 0;
    if (fault === 'release-counts-as-captured') deposit.captured = deposit.amount;
    if (fault === 'release-affects-whole-booking')
      for (const other of otherHoldsOfBooking(world, deposit)) other.status = 'released';
    changeStatus(world, deposit, status, 'deposit.released');
  }
  return ok(world, depositView(world, deposit), choices.actionStatus);
};
