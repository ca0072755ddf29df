import { isRecord } from '../../../lib/json.js';
import {
  activeProbe,
  type Choice,
  choiceWithOtherFields,
  NoMatchingChoice,
  type Probe,
  passiveProbe,
} from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Delivery } from '../../engine/delivery.js';
import { aTimestamp, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { parseExactJson } from '../../engine/json.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import type { Deposit } from '../deposits/setups.js';
import { observeInvoicePayment } from './observe-invoice-payment.js';
import { retriedDelivery } from './refused-webhooks.js';
import {
  awaitDepositDelivery,
  depositDeliveries,
  eventNameOf,
  eventSteps,
  isAboutDeposit,
  paymentDeliveries,
} from './setups.js';

/** Webhook about the creation of a deposit. @throws Blocked if none arrives */
const creationDelivery = setup('the webhook of a new deposit', async (context): Promise<Delivery> => {
  const found = await awaitDepositDelivery(context, 'deposit.created', eventSteps['deposit.created']);
  if (!found) throw new Blocked('no `deposit.created` has arrived');
  return found;
});

/**
 * The two attempts to deliver a webhook whose first attempt was refused. In the suite, each received attempt is a
 * `Delivery`. @throws Skip if there was no second one
 */
async function readBothAttempts(context: ClauseContext): Promise<{ first: Delivery; second: Delivery }> {
  const { first, second } = await context.use(retriedDelivery);
  if (!second) {
    throw new Skip({
      missing: 'a second attempt',
      reason: 'none arrived before the timeout, though one may come later',
    });
  }
  return { first, second };
}

interface SignatureFormat {
  /** Name of the header with the signature, in lower case. */
  readonly header: string;
  readonly encoding: Choice<'event.digest'>;
}

/**
 * Format of the signature of a delivery; NoMatchingChoice if no header has its digest in a known encoding.
 * @throws Skip if the secret is unknown
 */
function signatureFormatOf({ headers, digest }: Delivery): SignatureFormat | NoMatchingChoice {
  if (digest === undefined)
    throw new Skip({ missing: '--webhook-secret', reason: 'without it, signatures cannot be computed' });
  const encodings = { hex: digest, base64: Buffer.from(digest, 'hex').toString('base64') };
  for (const [header, value] of Object.entries(headers)) {
    if (value === `sha256=${encodings.hex}`) return { header, encoding: 'hex' };
    if (value === `sha256=${encodings.base64}`) return { header, encoding: 'base64' };
    if (value === `sha256=${digest.toUpperCase()}`) return { header, encoding: 'hex-upper' };
  }
  return new NoMatchingChoice(Object.values(headers).filter((value) => value.startsWith('sha256=')));
}

/** Capitalizes each word of a header name, as is usual: `X-Service-Signature`. */
function toHeaderCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Events of a deposit that is captured in two parts, in the order of its steps. */
const eventOrder = ['deposit.created', 'deposit.authorized', 'deposit.partially_captured', 'deposit.captured'];

/**
 * True if the events of a deposit did not arrive in the order of its steps.
 * @throws Blocked if fewer than two of them have arrived
 */
async function isOutOfOrder(context: ClauseContext, all: readonly Delivery[]): Promise<boolean> {
  const { deposit } = await context.use(eventSteps['deposit.partially_captured']);
  const aboutDeposit = all.filter((delivery) => isAboutDeposit(delivery, context, deposit));
  const positions = [...new Set(aboutDeposit.map(eventNameOf))]
    .map((name) => eventOrder.indexOf(name ?? ''))
    .filter((position) => position !== -1);
  if (positions.length < 2) throw new Blocked('fewer than two events of the deposit have arrived');
  return positions.some((position, index) => position < Math.max(-1, ...positions.slice(0, index)));
}

/** True for an object with a `booking_reference` or with the id of a deposit. */
function mayBeRecordOf({ id }: Deposit, value: unknown): boolean {
  return isRecord(value) && ('booking_reference' in value || isSameId(value['id'], id));
}

/**
 * True for a body that is the record of a deposit. The id of an envelope identifies the event, but may equal that of the
 * deposit.
 */
function isBodyRecordOf(deposit: Deposit, body: Readonly<Record<string, unknown>>): boolean {
  if ('booking_reference' in body) return true;
  return mayBeRecordOf(deposit, body) && !Object.values(body).some((value) => mayBeRecordOf(deposit, value));
}

/**
 * Finds out how the members of an envelope (the JSON object around the deposit or payment) are named; undefined if a
 * profile cannot express the envelope.
 */
function memberNamesOf(body: Readonly<Record<string, unknown>>): MemberNames | undefined {
  /** The name of the only member whose value matches; undefined if there are none or several. */
  const onlyNameWhere = (matches: (value: unknown) => boolean): string | undefined => {
    const names = Object.entries(body).flatMap(([name, value]) => (matches(value) ? [name] : []));
    return names.length === 1 ? names[0] : undefined;
  };
  const data = onlyNameWhere(isRecord);
  const event = onlyNameWhere((value) => /^(payment|deposit)\.[a-z_]+$/.test(String(value)));
  const created_at = onlyNameWhere(aTimestamp.matches);
  const knownNames = [data, event, created_at];
  const [id, ...others] = Object.keys(body).filter((name) => !knownNames.includes(name));
  const canBeId = id === undefined || typeof body[id] === 'string';
  if (data === undefined || others.length > 0 || !canBeId || !Object.keys(body).every(isMemberName)) return undefined;
  return {
    data,
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    ...(created_at === undefined ? {} : { created_at }),
  };
}

/** Name of the member that has the id of the event; undefined if the body is a deposit, or an envelope without this id. */
function eventIdNameIn(body: Readonly<Record<string, unknown>>): string | undefined {
  if ('booking_reference' in body) return undefined;
  return 'id' in body ? 'id' : memberNamesOf(body)?.id;
}

/** Members of the envelope in the choice `envelope` of the gap `event.payload`. */
const envelopeMembers: readonly string[] = ['id', 'event', 'created_at', 'data'];

/** The target's name for each member of the envelope. */
interface MemberNames {
  readonly data: string;
  readonly id?: string;
  readonly event?: string;
  readonly created_at?: string;
}

function isMemberName(name: string): boolean {
  return /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Probes for the gaps about events and webhooks. */
export const eventProbes: readonly Probe[] = [
  passiveProbe({
    gap: 'event.payload',
    findChoice: async (context) => {
      const body = parseExactJson((await context.use(creationDelivery)).text);
      if (!isRecord(body)) throw new Blocked('the body is not a JSON object');
      const { deposit } = await context.use(eventSteps['deposit.created']);
      if (isBodyRecordOf(deposit, body)) return 'top-level';
      if (envelopeMembers.every((name) => name in body) && mayBeRecordOf(deposit, body['data'])) {
        const otherMembers = Object.keys(body).filter((name) => !envelopeMembers.includes(name));
        return choiceWithOtherFields('envelope', otherMembers);
      }
      const members = memberNamesOf(body);
      if (!members || !mayBeRecordOf(deposit, body[members.data])) return new NoMatchingChoice(Object.keys(body));
      const [payment] = (await ifPossible(context.use(paymentDeliveries))) ?? [];
      const paymentBody = parseExactJson(payment?.text ?? '');
      if (isRecord(paymentBody) && JSON.stringify(memberNamesOf(paymentBody)) !== JSON.stringify(members)) {
        return new NoMatchingChoice([Object.keys(body), Object.keys(paymentBody)]);
      }
      return { members };
    },
  }),
  passiveProbe({
    gap: 'event.trigger',
    findChoice: async (context) => {
      const all = [...(await context.use(depositDeliveries)), ...(await context.use(paymentDeliveries))];
      const missing: string[] = [];
      for (const [event, eventStep] of Object.entries(eventSteps)) {
        // No webhook is expected for a step that was skipped or that failed.
        const hasHappened = (await ifPossible(context.use(eventStep))) !== undefined;
        if (hasHappened && !all.some((delivery) => eventNameOf(delivery) === event)) missing.push(event);
      }
      if (!all.some((delivery) => eventNameOf(delivery) === 'payment.succeeded')) missing.push('payment.succeeded');
      return missing.length === 0 ? 'transition' : new NoMatchingChoice(`${missing.join(', ')} not sent`);
    },
  }),
  passiveProbe({
    gap: 'event.payment-signature',
    findChoice: async (context) => {
      const [payment] = await context.use(paymentDeliveries);
      if (!payment) throw new Blocked('no webhook about a payment has arrived');
      const format = signatureFormatOf(payment);
      if (format instanceof NoMatchingChoice) return format;
      const { header } = format;
      return header === 'x-service-signature' ? 'service-signature' : { header: toHeaderCase(header) };
    },
  }),
  passiveProbe({
    gap: 'event.digest',
    findChoice: async (context) => {
      const format = signatureFormatOf(await context.use(creationDelivery));
      return format instanceof NoMatchingChoice ? format : format.encoding;
    },
  }),
  passiveProbe({
    gap: 'event.order',
    findChoice: async (context): Promise<'none'> => {
      if (await isOutOfOrder(context, await context.use(depositDeliveries))) return 'none';
      throw new Skip({
        missing: 'webhooks out of order',
        reason: 'the events of a deposit arrived in order, which does not prove that they always do',
      });
    },
  }),
  activeProbe({
    gap: 'event.invoice-payment',
    evidenceFields: ['payment_link_id'],
    findChoice: observeInvoicePayment,
  }),
  activeProbe({
    gap: 'event.retries',
    findChoice: async (context) => {
      const { first, second } = await readBothAttempts(context);
      const seconds = (second.receivedAt - first.receivedAt) / 1_000;
      // The choice `backoff` waits 5 seconds before its second attempt.
      if (seconds >= 4 && seconds <= 8) return 'backoff';
      // Fractions of seconds would differ from run to run.
      return new NoMatchingChoice(
        `a second attempt after ${seconds < 1 ? 'less than a second' : `${Math.floor(seconds)} s`}`,
      );
    },
  }),
  activeProbe({
    gap: 'event.duplicate-id',
    evidenceFields: ['id'],
    findChoice: async (context) => {
      const { first, second } = await readBothAttempts(context);
      const [firstBody, secondBody] = [first, second].map(({ text }) => parseExactJson(text));
      const idName = isRecord(firstBody) ? eventIdNameIn(firstBody) : undefined;
      if (idName === undefined) throw new Skip({ missing: 'the id of an event', reason: 'payloads do not contain it' });
      const [firstId, secondId] = [valueAt(firstBody, idName), valueAt(secondBody, idName)];
      return firstId === secondId ? 'same' : new NoMatchingChoice(`${firstId}, then ${secondId}`);
    },
  }),
];
