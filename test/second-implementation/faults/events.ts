import type { EventName } from '../world.js';
import type { Fault } from './fault.js';

/** Begins a quotation, which each fault continues or closes. */
const signatureQuote =
  'Events: "X-Service-Signature | sha256= followed by the HMAC-SHA256 digest of the raw request body';

const neverSent = (event: EventName): Fault => ({
  breaks: `Events: event names, "${event}" (never sent)`,
  inferred: true,
  neverSends: event,
});

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const eventFaults = {
  'silent-payment-succeeded': neverSent('payment.succeeded'),
  'silent-deposit-created': neverSent('deposit.created'),
  'silent-deposit-authorized': neverSent('deposit.authorized'),
  'silent-deposit-partially-captured': neverSent('deposit.partially_captured'),
  'silent-deposit-captured': neverSent('deposit.captured'),
  'silent-deposit-released': neverSent('deposit.released'),
  'silent-deposit-expired': neverSent('deposit.expired'),
  'silent-deposit-failed': neverSent('deposit.failed'),
  'event-header-missing': { breaks: 'Events: "X-Service-Event | the event name" (the header is absent)' },
  'event-header-wrong': { breaks: 'Events: event names (the header calls deposit.authorized deposit.succeeded)' },
  'signature-missing': { breaks: `${signatureQuote}" (the header is absent)` },
  'signature-without-prefix': { breaks: `${signatureQuote}" (without the prefix sha256=)` },
  'signature-sha1': { breaks: `${signatureQuote}" (a SHA-1 digest)` },
  'signature-reserialized': { breaks: `${signatureQuote}" (over reserialized JSON, not the raw body)` },
  'signature-key-without-first-character': {
    breaks: `${signatureQuote}, keyed with the configured webhook secret" (without its first character)`,
  },
  'signature-key-first-configured': {
    breaks: `${signatureQuote}, keyed with the configured webhook secret" (always the first configured secret)`,
  },
  'signature-key-of-payments-first-configured': {
    breaks: `${signatureQuote}, keyed with the configured webhook secret" (for payments, always the first one)`,
  },
  'retry-without-event-header': {
    breaks: 'Events: "Each delivery carries these headers" (a retry lacks X-Service-Event)',
  },
  'retry-without-signature': { breaks: 'Events: "Each delivery carries these headers" (a retry lacks the signature)' },
  'retry-changed-body': {
    breaks: `${signatureQuote}" (a retry has another body, and the signature of the first attempt)`,
  },
  'payload-without-description': { breaks: 'Events: payment.succeeded, "its payload includes description"' },
  'payload-without-link-id': { breaks: 'Events: payment.succeeded, "its payload includes … payment_link_id"' },
  'payload-description-lower-case': {
    breaks: 'Events: "The description given to a payment link appears in all webhook payloads" (in lower case)',
  },
  'payload-description-ascii': {
    breaks:
      'Events: "The description given to a payment link appears in all webhook payloads" (only its ASCII characters)',
  },
  'signature-latin1': { breaks: `${signatureQuote}" (for payments, computed from one byte per character)` },
  'signature-latin1-deposits': {
    breaks: `${signatureQuote}" (for deposits, computed from one byte per character)`,
  },
  'signature-key-before-rotation': {
    breaks: `${signatureQuote}, keyed with the configured webhook secret" (after a rotation, still the old secret)`,
  },
  'payload-other-link-id': { breaks: 'Events: payment.succeeded, "payment_link_id" (of another link)' },
  'payload-link-id-string': {
    breaks: 'Payment: "payment_link_id | integer" (a string in webhooks)',
    inferred: true,
  },
  'payload-status-before': {
    breaks: 'Events: event names, "deposit.authorized" (the payload shows the deposit as it was before: pending)',
    inferred: true,
  },
  'payload-other-deposit-id': {
    breaks: 'Events: event names, "deposit.released" (the payload shows the identifier of another deposit)',
    inferred: true,
  },
  'refused-capture-sends-captured': {
    breaks: 'Events: event names, "deposit.captured" (also sent when the capture of an expired deposit is refused)',
    inferred: true,
  },
  'silent-second-authorization-of-booking': {
    breaks: 'Events: event names, "deposit.authorized" (only sent about the first deposit of a booking)',
    inferred: true,
  },
  'payload-other-deposit-id-at-creation': {
    breaks: 'Events: event names, "deposit.created" (the payload shows the identifier of another deposit)',
    inferred: true,
  },
  'silent-deposit-captured-by-write-token': {
    breaks: 'Events: event names, "deposit.captured" (not sent if the token can only write)',
    inferred: true,
    silencesWriteToken: 'deposit-capture',
  },
  'full-capture-sends-released': {
    breaks: 'Events: event names, "deposit.released" (also sent for a deposit that is captured in full)',
    inferred: true,
  },
  'remainder-capture-sends-partially-captured': {
    breaks: 'Events: event names, "deposit.captured" (not sent when the remaining amount of a deposit is captured)',
    inferred: true,
  },
  'webhook-to-old-url': { breaks: 'Events: "Webhooks are sent to a single URL" (also to earlier URLs)' },
} satisfies Record<string, Fault>;
