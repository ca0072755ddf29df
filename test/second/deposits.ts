import { randomUUID } from 'node:crypto';
import { centsOf, hasCents } from './decimals.js';
import { Form } from './form.js';
import { listed, ok } from './listing.js';
import { invalid, problemText, refusal } from './refusal.js';
import { depositView } from './views.js';
import {
  type Answer,
  type Call,
  type Deposit,
  type DepositRequest,
  depositStatuses,
  type EventName,
  type Handler,
  nextId,
  type World,
} from './world.js';

const fields = ['booking_reference', 'amount', 'currency', 'customer', 'check_in_date', 'check_out_date', 'metadata'];

export function moveDeposit(world: World, deposit: Deposit, status: Deposit['status'], event: EventName): void {
  deposit.status = status;
  world.emit(event, depositView(world, deposit));
}

function newId({ choices, deposits }: World): number | string {
  if (choices.depositIds === 'integer') return nextId(deposits);
  return choices.depositIds === 'uuid' ? randomUUID() : `dep_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

export function storeDeposit(world: World, request: DepositRequest): Deposit {
  const deposit: Deposit = { ...request, id: newId(world), createdAt: Date.now(), status: 'pending', captured: 0 };
  world.deposits.set(deposit.id, deposit);
  world.emit('deposit.created', depositView(world, deposit, true));
  return deposit;
}

export const isHeld = ({ status }: Deposit): boolean => status === 'authorized' || status === 'partially_captured';

function readRequest(world: World, { body }: Call): DepositRequest {
  const { choices } = world;
  const form = new Form(world, 'deposit-create', body);
  for (const field of fields) {
    if (choices.depositRequired.includes(field) && body[field] === undefined) form.problem(field, 'required');
  }
  const amount = form.optionalNumber('amount') ?? 1;
  if (amount <= 0 || !hasCents(amount)) form.problem('amount', 'small');
  const currency = form.optionalText('currency') ?? choices.currency;
  if (!/^[A-Z]{3}$/.test(currency)) form.problem('currency', 'choice');
  const checkInDate = form.optionalDate('check_in_date');
  const checkOutDate = form.optionalDate('check_out_date');
  const isBackwards = checkInDate !== undefined && checkOutDate !== undefined && checkOutDate < checkInDate;
  if (isBackwards && choices.datesBackwards === 'refused') form.problem('check_out_date', 'early');
  const request: DepositRequest = {
    bookingReference: form.optionalText('booking_reference'),
    amount: centsOf(amount),
    currency,
    customer: form.optionalObject('customer'),
    checkInDate,
    checkOutDate,
    metadata: form.optionalObject('metadata'),
  };
  if (world.fault === 'metadata-refused' && request.metadata !== undefined) form.problem('metadata', 'unknown');
  form.check();
  return request;
}

function answerCreated(world: World, deposit: Deposit): Answer {
  return ok(world, depositView(world, deposit, true), world.choices.createdStatus);
}

/** The response to a key seen before, or undefined where the request has to be carried out. */
function replay(world: World, call: Call): Answer | undefined {
  const { choices, fault } = world;
  const kept = world.kept.get(call.idempotencyKey ?? '');
  if (kept === undefined || fault === 'replay-new-deposit') return undefined;
  if (fault === 'replay-last-key-alone' && [...world.kept.keys()].at(-1) !== call.idempotencyKey) return undefined;
  if (kept.deposit.status !== 'pending' && fault === 'replay-forgets-authorized') return undefined;
  if (kept.request !== JSON.stringify(call.body) && choices.keyMismatch === 'refused') {
    throw refusal(choices, 422, 'keyMismatch');
  }
  if (fault === 'replay-stores-second') storeDeposit(world, kept.deposit);
  const { body } = choices.replayShows === 'first' ? kept.answer : answerCreated(world, kept.deposit);
  const status = choices.replayStatus === 'ok' ? 200 : kept.answer.status;
  return { status, headers: {}, body: structuredClone(body) };
}

export const createDeposit: Handler = (world, call) => {
  const { choices, kept } = world;
  const { idempotencyKey } = call;
  if (idempotencyKey === undefined && choices.keyRequired) throw refusal(choices, 400, 'key');
  const replayed = idempotencyKey === undefined ? undefined : replay(world, call);
  if (replayed !== undefined) return replayed;
  const deposit = storeDeposit(world, readRequest(world, call));
  const answer = answerCreated(world, deposit);
  if (idempotencyKey !== undefined) {
    kept.set(idempotencyKey, {
      request: JSON.stringify(call.body),
      deposit,
      answer: { ...answer, body: structuredClone(answer.body) },
    });
  }
  return answer;
};

export const listDeposits: Handler = (world, { query }) => {
  const { choices, fault } = world;
  const booking = fault === 'filter-booking-ignored' ? null : query.get('booking_reference');
  const status = fault === 'filter-deposit-status-ignored' ? null : query.get('status');
  const isKnown =
    depositStatuses.some((known) => known === status) &&
    !(fault === 'filter-deposit-status-refused' && status === 'partially_captured');
  if (status !== null && !isKnown && choices.badQuery === 'refused') {
    throw invalid(choices, { status: [problemText(choices, 'status', 'choice')] });
  }
  const found = [...world.deposits.values()].filter(
    (deposit) =>
      (booking === null || isOfBooking(world, deposit, booking)) &&
      (status === null ||
        !isKnown ||
        (fault === 'filter-deposit-status-stale' ? status === 'pending' : deposit.status === status)),
  );
  return listed(world, 'deposit-list', query, found, (deposit) => depositView(world, deposit));
};

function isOfBooking({ fault }: World, { bookingReference = '' }: Deposit, wanted: string): boolean {
  if (fault === 'filter-booking-percent' && wanted.endsWith('%'))
    return bookingReference.startsWith(wanted.slice(0, -1));
  return bookingReference === wanted && !(fault === 'filter-booking-ascii' && /[^ -~]/.test(wanted));
}

/** The others that are held of a booking. */
const heldBeside = ({ deposits }: World, deposit: Deposit): Deposit[] =>
  [...deposits.values()].filter(
    (other) => other !== deposit && isHeld(other) && other.bookingReference === deposit.bookingReference,
  );

function find({ deposits, choices }: World, id: string): Deposit {
  const deposit = deposits.get(choices.depositIds === 'integer' ? Number(id) : id);
  if (deposit === undefined) throw refusal(choices, 404, 'deposit');
  return deposit;
}

export const readDeposit: Handler = (world, { id }) => {
  const deposit = find(world, id);
  const latest = [...world.deposits.values()].at(-1);
  return ok(world, depositView(world, world.fault === 'deposit-detail-latest' ? (latest ?? deposit) : deposit));
};

export const captureDeposit: Handler = (world, { id, body }) => {
  const { choices, fault } = world;
  const deposit = find(world, id);
  const form = new Form(world, 'deposit-capture', body);
  const amount = form.optionalNumber('amount');
  const description = form.optionalText('description');
  if (amount !== undefined && (amount <= 0 || !hasCents(amount))) form.problem('amount', 'small');
  if (fault === 'capture-description-refused' && description !== undefined) form.problem('description', 'unknown');
  form.check();
  if (!isHeld(deposit)) throw refusal(choices, choices.stateStatus, 'state');

  const remaining = deposit.amount - deposit.captured;
  const wanted = amount === undefined ? remaining : centsOf(amount);
  if (wanted > remaining && choices.overCapture === 'refused') throw refusal(choices, 422, 'overCapture');
  let taken = Math.min(wanted, remaining);
  if (fault === 'capture-all-takes-half' && amount === undefined) taken = Math.ceil(remaining / 2);
  if (fault === 'capture-part-takes-all' && amount !== undefined) taken = remaining;
  if (fault === 'capture-takes-nothing') taken = 0;
  if (fault === 'capture-counts-last-part') deposit.captured = 0;
  deposit.captured += taken;
  if (fault === 'capture-spreads') for (const other of heldBeside(world, deposit)) other.status = 'partially_captured';
  if (deposit.captured === deposit.amount) moveDeposit(world, deposit, 'captured', 'deposit.captured');
  else moveDeposit(world, deposit, 'partially_captured', 'deposit.partially_captured');
  return ok(world, depositView(world, deposit), choices.actedStatus);
};

export const releaseDeposit: Handler = (world, { id }) => {
  const { choices, fault } = world;
  const deposit = find(world, id);
  const again = deposit.status === 'released' && choices.releaseAgain === 'accepted';
  if (!isHeld(deposit) && !again) throw refusal(choices, choices.stateStatus, 'state');
  if (!again && fault !== 'release-keeps-hold') {
    const status = deposit.captured > 0 ? choices.releasedPart : 'released';
    if (fault === 'release-takes-captured-back') deposit.captured = 0;
    if (fault === 'release-counts-as-captured') deposit.captured = deposit.amount;
    if (fault === 'release-spreads') for (const other of heldBeside(world, deposit)) other.status = 'released';
    moveDeposit(world, deposit, status, 'deposit.released');
  }
  return ok(world, depositView(world, deposit), choices.actedStatus);
};
