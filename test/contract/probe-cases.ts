import { fileURLToPath } from 'node:url';
import type { GapId } from '../../src/contract/engine/session.js';

/** Values of the choices that take one, as a probe writes them. */
export const values: Readonly<Record<string, unknown>> = {
  'auth.unauthenticated answer': { status: 418, error: 'Who are you?' },
  'auth.scope answer': { status: 404, error: 'You see nothing.' },
  'auth.token-lifetime after': '30d',
  'request.not-found error': 'Nothing here',
  'invoice.number-format pattern': 'R-{number:3}/{year}',
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
  'deposit.window for': 'P30D',
  'deposit.link-expiry after': '3d',
  'metadata.size bounds': { keys: 2, key_length: 3, value_length: 40 },
  'text.lengths bounds': { text: 100, notes: 100 },
  'amount.maximum maximum': 5_000,
  'event.payment-signature header': 'X-Payment-Signature',
};

/** Gaps that are looked into on records that are there already. */
export const seeds: { readonly [Id in GapId]?: string } = {
  'invoice.subscription': 'demo',
  'invoice.outstanding': 'demo',
  'payment.methods': 'demo',
  'payment.date-filter': 'demo',
  'payment.paid-at-unpaid': 'demo',
  // In Swiss francs.
  'deposit.currency': fileURLToPath(new URL('../gaps/swiss-account.json', import.meta.url)),
};

/** Gaps of those who have no account, which are as the default account has them, and of the rate limit. */
export const ofDefaultAccount: readonly GapId[] = ['auth.unauthenticated', 'rate.unauthenticated', 'rate.exceeded'];

const outside = 'a way to observe it from outside';

/** Choices that a simulator does not let be told, and what is missing. */
export const unobservable: Readonly<Record<string, string>> = {
  'auth.token-lifetime never': outside,
  'auth.token-lifetime after': outside,
  'rate.key account': 'a second client',
  'rate.key address': 'a second client',
  'rate.window fixed': 'more than a minute',
  'rate.window sliding': 'more than a minute',
  'rate.burst after-calm': 'a minute of more than 60 requests',
  'rate.burst always': 'a minute of more than 60 requests',
  'invoice.currency account': outside,
  'invoice.currency customer': outside,
  'invoice.other-currencies left-out': outside,
  'invoice.other-currencies added': outside,
  'invoice.reminder-cancelled refused': outside,
  'invoice.reminder-cancelled sent': outside,
  'overdue.link-null open-or-pending': outside,
  // The account is in UTC.
  'invoice.overdue-moment utc-day': 'another hour',
  'invoice.overdue-moment account-day': 'another hour',
  'link.slug-scope account': outside,
  'link.slug-scope global': outside,
  // The absence of a 409 does not prove that there never is one.
  'deposit.key-concurrent shared': 'a 409',
  'deposit.key-owner account': outside,
  'deposit.key-owner token': outside,
  'deposit.key-retention day': outside,
  'deposit.key-retention after': outside,
  'deposit.key-retention forever': outside,
  'deposit.link-expiry never': outside,
  'deposit.link-expiry after': outside,
  'event.retries none': 'a second try',
  // Nothing on one machine overtakes anything.
  'event.order by-commit': 'disorder',
  'event.order none': 'disorder',
};
