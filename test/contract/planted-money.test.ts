import { describe, expect, test } from 'vitest';
import type { depositFaults } from '../second/faults/deposits.js';
import type { eventFaults } from '../second/faults/events.js';
import { type FaultId, faults } from '../second/faults/index.js';
import type { linkFaults } from '../second/faults/links.js';
import type { paymentFaults } from '../second/faults/payments.js';
import { moneyClause } from './sections.js';
import { check, openSecond } from './support.js';

type MoneyFault = keyof (typeof linkFaults & typeof paymentFaults & typeof depositFaults & typeof eventFaults);

/** The faults that whoever wrote the second implementation has planted in it, by the clause that has to see each. */
const seenBy: Readonly<Record<MoneyFault, string>> = {
  'link-id-text': 'LINK-CREATE-02',
  'link-url-relative': 'LINK-CREATE-03',
  'link-url-missing': 'LINK-CREATE-03',
  'link-url-other-in-list': 'LINK-LIST-31',
  'link-description-lower-case': 'LINK-CREATE-08',
  'link-description-cut': 'LINK-LIST-32',
  'link-amount-whole': 'LINK-CREATE-09',
  'link-amount-formatted': 'LINK-CREATE-05',
  'link-currency-usd': 'LINK-CREATE-10',
  'link-currency-missing': 'LINK-CREATE-06',
  'link-created-at-missing': 'LINK-CREATE-07',
  'link-created-at-without-offset': 'LINK-CREATE-07',
  'link-created-at-seconds': 'LINK-LIST-27',
  'link-counts-at-creation': 'LINK-CREATE-19',
  'link-description-optional': 'LINK-CREATE-13',
  'link-amount-optional': 'LINK-CREATE-14',
  'link-currency-demanded': 'LINK-CREATE-10',
  'slug-upper-case': 'LINK-SLUG-01',
  'slug-random': 'LINK-SLUG-01',
  'slug-suffix-none': 'LINK-SLUG-02',
  'slug-suffix-from-1': 'LINK-SLUG-02',
  'slug-suffix-underscore': 'LINK-SLUG-02',
  'slug-suffix-repeats': 'LINK-SLUG-03',
  'slug-suffix-exact-case': 'LINK-SLUG-03',
  'link-not-listed': 'LINK-LIST-21',
  'link-count-missing': 'LINK-LIST-28',
  'link-count-stuck': 'LINK-LIST-39',
  'link-revenue-missing': 'LINK-LIST-29',
  'link-revenue-stuck': 'LINK-LIST-40',
  'link-active-missing': 'LINK-LIST-30',
  'link-active-integer': 'LINK-LIST-30',
  'link-list-default-20': 'LINK-LIST-12',
  'link-list-maximum-101': 'LINK-LIST-14',
  'link-list-maximum-50': 'LINK-LIST-13',
  'link-list-size-ignored': 'LINK-LIST-10',
  'payment-not-listed': 'PAY-LIST-21',
  'payment-id-text': 'PAY-FIELD-01',
  'payment-status-succeeded': 'PAY-FIELD-05',
  'payment-amount-in-cents': 'PAY-LINK-05',
  'payment-currency-lower-case': 'PAY-FIELD-04',
  'payment-method-missing': 'PAY-FIELD-06',
  'payment-method-object': 'PAY-FIELD-06',
  'payment-link-id-missing': 'PAY-FIELD-07',
  'payment-link-id-text': 'PAY-FIELD-07',
  'payment-link-id-other': 'PAY-LINK-01',
  'payment-link-url-missing': 'PAY-FIELD-08',
  'payment-link-url-other': 'PAY-LINK-02',
  'payment-reference-missing': 'PAY-FIELD-09',
  'payment-paid-at-missing': 'PAY-FIELD-10',
  'payment-paid-at-date-only': 'PAY-FIELD-10',
  'payment-created-at-missing': 'PAY-FIELD-11',
  'payment-created-at-with-space': 'PAY-FIELD-11',
  'payment-customer-missing': 'PAY-FIELD-12',
  'payment-customer-name-missing': 'PAY-FIELD-14',
  'payment-customer-id-text': 'PAY-FIELD-13',
  'payment-description-slug': 'PAY-LINK-03',
  'filter-description-ignored': 'PAY-FILTER-03',
  'filter-description-case': 'PAY-FILTER-02',
  'filter-description-whole': 'PAY-FILTER-01',
  'filter-description-prefix': 'PAY-FILTER-01',
  'filter-status-ignored': 'PAY-FILTER-04',
  'filter-status-open-refused': 'PAY-FILTER-05',
  'filter-from-ignored': 'PAY-FILTER-12',
  'filter-to-ignored': 'PAY-FILTER-14',
  'payment-list-default-20': 'PAY-LIST-12',
  'payment-list-maximum-101': 'PAY-LIST-14',
  'payment-list-maximum-50': 'PAY-LIST-13',
  'payment-list-size-ignored': 'PAY-LIST-10',
  'authorization-url-missing': 'DEP-CREATE-02',
  'authorization-url-null': 'DEP-CREATE-02',
  'authorization-url-no-url': 'DEP-CREATE-03',
  'metadata-refused': 'DEP-CREATE-01',
  'replay-new-deposit': 'DEP-IDEM-02',
  'replay-stores-second': 'DEP-IDEM-03',
  'replay-forgets-authorized': 'DEP-IDEM-05',
  'deposit-status-unknown': 'DEP-READ-03',
  'deposit-detail-latest': 'DEP-READ-02',
  'filter-booking-ignored': 'DEP-FILTER-02',
  'filter-deposit-status-ignored': 'DEP-FILTER-03',
  'filter-deposit-status-refused': 'DEP-FILTER-05',
  'deposit-list-size-ignored': 'DEP-LIST-21',
  'capture-all-takes-half': 'DEP-CAPTURE-06',
  'capture-part-takes-all': 'DEP-CAPTURE-12',
  'capture-takes-nothing': 'DEP-CAPTURE-06',
  'capture-amount-demanded': 'DEP-CAPTURE-05',
  'capture-description-demanded': 'DEP-CAPTURE-01',
  'capture-description-refused': 'DEP-CAPTURE-02',
  'release-keeps-hold': 'DEP-RELEASE-02',
  'silent-payment-succeeded': 'HOOK-SENT-01',
  'silent-deposit-created': 'HOOK-EVENT-02',
  'silent-deposit-authorized': 'HOOK-EVENT-03',
  'silent-deposit-partially-captured': 'HOOK-EVENT-04',
  'silent-deposit-captured': 'HOOK-EVENT-05',
  'silent-deposit-released': 'HOOK-EVENT-06',
  'silent-deposit-expired': 'HOOK-EVENT-07',
  'silent-deposit-failed': 'HOOK-EVENT-08',
  'event-header-missing': 'HOOK-HEAD-01',
  'event-header-wrong': 'HOOK-HEAD-02',
  'signature-missing': 'HOOK-SIGN-01',
  'signature-without-prefix': 'HOOK-SIGN-01',
  'signature-sha1': 'HOOK-SIGN-01',
  'signature-reserialised': 'HOOK-SIGN-02',
  'signature-key-trimmed': 'HOOK-SIGN-02',
  'signature-key-stale': 'HOOK-MOVE-02',
  'payload-without-description': 'HOOK-PAY-01',
  'payload-without-link-id': 'HOOK-PAY-02',
  'payload-description-lower-case': 'HOOK-PAY-01',
  'payload-other-link-id': 'HOOK-PAY-02',
  'webhook-to-old-url': 'HOOK-MOVE-01',
};

const isFault = (id: string): id is FaultId => Object.hasOwn(faults, id);

describe.concurrent('a planted fault', () => {
  test.each(Object.entries(seenBy))('%s is seen by %s', async (fault, id) => {
    if (!isFault(fault)) throw new Error(`there is no fault ${fault}`);
    const clause = moneyClause(id);
    const outcome = await check(await openSecond({ fault }), [clause], { patience: 1_500 });
    expect(outcome.of(id)).toMatchObject({ status: clause.level === 'documented' ? 'failed' : 'warned' });
    // What breaks a promise that is made in so many words must not only be warned of.
    if (!faults[fault].inferred) expect(clause.level).toBe('documented');
  });
});
