import type { Options } from './options.js';

/** Correct implementations of the service, which differ where the specification is silent. */
export const variants: Record<string, Options> = {
  // The defaults. Error messages are worded as in Laravel, a PHP framework.
  'laravel-like': {},

  strings: {
    decimals: 'text',
    contentType: 'application/json; charset=utf-8',
    unsetFields: 'empty',
    utcOffset: 'Z',
    nonIntegerIdStatus: 422,
    listOrder: 'oldest',
    invalidQuery: 'ignored',
    invoiceAmount: 'net',
    lineTotal: 'net',
    numberPrefix: '2026/',
    invoicePayments: false,
    depositIds: 'uuid',
    replayBody: 'current',
    replayStatus: 'ok',
    wrongStateStatus: 422,
    statusAfterPartialRelease: 'captured',
    resetUnit: 'seconds-left',
    slug: 'underscores',
  },

  terse: {
    json: 'pretty',
    unsetFields: 'absent',
    createdStatus: 200,
    fieldErrors: 'none',
    allListsHaveLastPage: false,
    allListsAcceptPage: false,
    duplicateInvoiceNumber: 'accepted',
    overdueStatus: 'never',
    outstandingSums: 'full',
    countedAsPending: 'pending',
    overdueTotalIncludes: 'unpaid',
    invalidAmount: 'accepted',
    invoicePayments: false,
    depositFields: 'few',
    depositRequired: ['amount'],
    depositPageSize: 10,
    reusedKey: 'original',
    repeatedRelease: 'accepted',
    reversedDates: 'accepted',
    burstsAllowed: 'never',
    payload: 'flat',
    retriesMs: [],
    nonJsonBody: 'parsed',
    wrongMethodStatus: 404,
  },

  strict: {
    invalidStatus: 400,
    unauthenticatedStatus: 403,
    nonIntegerIdStatus: 400,
    fieldErrors: 'brackets',
    unknownFields: 'refused',
    acceptsNumericStrings: false,
    pageSizeAboveMaximum: 'refused',
    pageAfterLast: 'missing',
    otherCurrency: 'refused',
    paidLink: 'inactive',
    invoicePayments: false,
    depositRequired: [
      'booking_reference',
      'amount',
      'currency',
      'customer',
      'check_in_date',
      'check_out_date',
      'metadata',
    ],
    keyRequired: true,
    wrongStateStatus: 400,
  },

  eventual: {
    listOrder: 'shuffled',
    actionStatus: 202,
    scopeStatus: 401,
    filterDate: 'paid_at',
    burstsAllowed: 'always',
    resetUnit: 'iso',
    digest: 'base64',
    paymentSignatureHeader: 'X-Payment-Signature',
    webhookCopies: 2,
    webhookDelaysMs: [180, 60, 120],
    invoicePayments: false,
    reminderForDraftOrCancelled: 'sent',
  },

  chatty: {
    hasUndocumentedFields: true,
    language: 'de',
    currency: 'CHF',
    headerCase: 'lower',
    chunked: true,
    utcOffset: '+02:00',
    digest: 'HEX',
    depositIds: 'prefixed',
    actionStatus: 201,
    overCapture: 'capped',
    invoicePayments: false,
    methods: ['twint', 'kreditkarte'],
    slug: 'percent',
  },

  busy: { hasOtherClients: true, rateKey: 'account', statusAfterDecline: 'pending' },

  empty: { seeded: false },

  pages: { pageAfterLast: 'last', gzip: true, slowMs: 20, decimals: 'text', utcOffset: 'Z', overdueStatus: 'never' },

  wide: { bigIds: true, json: 'pretty' },

  lagging: { lagMs: 300, invoicePayments: false },

  // The bucket regains 100 requests a minute, as many as the specification allows. With a faster one, a run on a slow
  // machine would not use requests faster than they are regained.
  bucket: { rateWindow: 'bucket', limit: 1_000, windowSeconds: 600, resetUnit: 'seconds-left', burstsAllowed: 'never' },
};

/**
 * The variants that the tests of this folder can check: their lists show changes immediately, their identifiers are
 * safe integers or strings, and their rate limits have fixed windows.
 */
export const simpleVariants = Object.entries(variants).filter(
  ([, { bigIds, lagMs, rateWindow }]) => !bigIds && !lagMs && rateWindow !== 'bucket',
);
