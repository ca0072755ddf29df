import { fileURLToPath } from 'node:url';
import type { GapId } from '../../src/contract/engine/session.js';

/**
 * Values for the choices that take a value, in the form in which probes report them. A probe is the clause that
 * observes what a target chooses for a gap. The keys consist of the gap and the choice.
 */
export const choiceValues: Readonly<Record<string, unknown>> = {
  'auth.unauthenticated answer': { status: 418, error: 'Who are you?' },
  'auth.scope answer': { status: 404, error: 'You see nothing.' },
  'auth.token-lifetime after': '30d',
  'request.not-found error': 'Nothing here',
  'invoice.number-format pattern': 'R-{number:3}/{year}',
  // Number of decimal places.
  'invoice.item-places places': 4,
  'invoice.tax-rate maximum': 19.5,
  'invoice.transactions fields': ['id', 'amount'],
  'invoice.subscription fields': ['name'],
  'payment.methods only': ['card', 'cash'],
  'request.not-found errors': { invoice: 'No such invoice', deposit: 'No such deposit', route: 'No such place' },
  'deposit.required fields': ['amount', 'customer'],
  'deposit.unset-fields each': { customer: 'absent', dates: 'empty-text', metadata: 'null', moments: 'absent' },
  'deposit.fields fields': ['id', 'booking_reference', 'status', 'authorized_at'],
  'deposit.capture-when answers': { otherwise: 422, above: 'capped' },
  'deposit.release-when answers': { otherwise: 422, again: 'accepted' },
  'event.payload members': { data: 'payload', event: 'type' },
  'deposit.key-retention after': '1h',
  'deposit.per-page bounds': { default: 5, maximum: 10 },
  // Duration of an authorization.
  'deposit.window for': 'P30D',
  'deposit.link-expiry after': '3d',
  'metadata.size bounds': { keys: 2, key_length: 3, value_length: 40 },
  'text.lengths bounds': { text: 100, notes: 100 },
  'amount.maximum maximum': 5_000,
  'event.payment-signature header': 'X-Payment-Signature',
};

/** Seeds of accounts, for gaps whose probes need existing records or another currency. */
export const seedByGap: { readonly [Id in GapId]?: string } = {
  'invoice.subscription': 'demo',
  'invoice.outstanding': 'demo',
  'payment.methods': 'demo',
  'payment.date-filter': 'demo',
  'payment.paid-at-unpaid': 'demo',
  // The account's currency is the Swiss franc.
  'deposit.currency': fileURLToPath(new URL('../gaps/swiss-account.json', import.meta.url)),
};

/**
 * Gaps that are probed on the default account of a new simulator. The profile of this account also applies to requests
 * that belong to no account, and it has a rate limit, whereas that of the shared simulator is off.
 */
export const gapsProbedOnDefaultAccount: readonly GapId[] = [
  'auth.unauthenticated',
  'rate.unauthenticated',
  'rate.exceeded',
];

/** Reported as missing by the probe of a gap that cannot be observed from outside. */
const wayToObserve = 'a way to observe it from outside';

/** For each choice that cannot be observed on a simulator: what the probe of its gap reports as missing. */
export const unobservable: Readonly<Record<string, string>> = {
  'auth.token-lifetime never': wayToObserve,
  'auth.token-lifetime after': wayToObserve,
  'rate.key account': 'a second client',
  'rate.key address': 'a second client',
  'rate.window fixed': 'more than a minute of observation',
  'rate.window sliding': 'more than a minute of observation',
  'rate.burst after-calm': 'more than 60 requests within a minute',
  'rate.burst always': 'more than 60 requests within a minute',
  'invoice.currency account': wayToObserve,
  'invoice.currency customer': wayToObserve,
  'invoice.other-currencies left-out': wayToObserve,
  'invoice.other-currencies added': wayToObserve,
  'invoice.reminder-cancelled refused': wayToObserve,
  'invoice.reminder-cancelled sent': wayToObserve,
  // The gap is about unfinished payments, but a driver completes each payment that it starts.
  'overdue.link-null open-or-pending': wayToObserve,
  // The tested accounts are in UTC, so no time of day tells these choices apart; but the probe, which does not know the
  // time zone, asks for another time.
  'invoice.overdue-moment utc-day': 'another time of day',
  'invoice.overdue-moment account-day': 'another time of day',
  'link.slug-scope account': wayToObserve,
  'link.slug-scope global': wayToObserve,
  // The absence of a 409 does not prove that there never is one.
  'deposit.key-concurrent shared': 'a 409',
  'deposit.key-owner account': wayToObserve,
  'deposit.key-owner token': wayToObserve,
  'deposit.key-retention day': wayToObserve,
  'deposit.key-retention after': wayToObserve,
  'deposit.key-retention forever': wayToObserve,
  'deposit.link-expiry never': wayToObserve,
  'deposit.link-expiry after': wayToObserve,
  'event.retries none': 'a second attempt',
  // A run sees only a few of the transitions that the choice lists.
  'invoice.transitions table': 'the other transitions',
  'payment.transitions table': 'the other transitions',
  // On one machine, no webhook overtakes another.
  'event.order by-commit': 'webhooks out of order',
  'event.order none': 'webhooks out of order',
};
