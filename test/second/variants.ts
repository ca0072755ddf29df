import type { Options } from './options.js';

/** Conforming services that differ in everything that the specification leaves open. */
export const variants: Record<string, Options> = {
  'laravel-like': {},

  strings: {
    decimals: 'text',
    contentType: 'application/json; charset=utf-8',
    optional: 'empty',
    offset: 'Z',
    textIdStatus: 422,
    order: 'oldest',
    badQuery: 'ignored',
    invoiceAmount: 'net',
    lineTotal: 'net',
    numberPrefix: '2026/',
    invoicePayments: false,
    depositIds: 'uuid',
    replayShows: 'current',
    replayStatus: 'ok',
    stateStatus: 422,
    releasedPart: 'captured',
    resetUnit: 'left',
    slug: 'underscores',
  },

  terse: {
    json: 'pretty',
    optional: 'absent',
    createdStatus: 200,
    fieldErrors: 'none',
    lastPageEverywhere: false,
    pageEverywhere: false,
    duplicateNumber: 'accepted',
    overdueStatus: 'never',
    outstanding: 'whole',
    pendingCount: 'pending',
    overdueTotal: 'unpaid',
    unusualAmount: 'accepted',
    invoicePayments: false,
    depositFields: 'few',
    depositRequired: ['amount'],
    depositPageSize: 10,
    keyMismatch: 'original',
    releaseAgain: 'accepted',
    datesBackwards: 'accepted',
    burst: 'never',
    payload: 'flat',
    retriesMs: [],
    otherContentType: 'parsed',
    otherMethodStatus: 404,
  },

  strict: {
    invalidStatus: 400,
    unauthenticatedStatus: 403,
    textIdStatus: 400,
    fieldErrors: 'brackets',
    unknownFields: 'refused',
    textNumbers: false,
    overMaximum: 'refused',
    beyondEnd: 'missing',
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
    stateStatus: 400,
  },

  eventual: {
    order: 'shuffled',
    actedStatus: 202,
    scopeStatus: 401,
    filterDate: 'paid_at',
    burst: 'always',
    resetUnit: 'iso',
    digest: 'base64',
    paymentSignatureHeader: 'X-Payment-Signature',
    copies: 2,
    delaysMs: [180, 60, 120],
    invoicePayments: false,
    draftReminder: 'sent',
  },

  chatty: {
    extra: true,
    language: 'de',
    currency: 'CHF',
    headerCase: 'lower',
    chunked: true,
    offset: '+02:00',
    digest: 'HEX',
    depositIds: 'prefixed',
    actedStatus: 201,
    overCapture: 'capped',
    invoicePayments: false,
    methods: ['twint', 'kreditkarte'],
    slug: 'percent',
  },

  busy: { othersAtWork: true, rateKey: 'account', declined: 'pending' },

  empty: { seeded: false },

  pages: { beyondEnd: 'last', gzip: true, slowMs: 20, decimals: 'text', offset: 'Z', overdueStatus: 'never' },

  wide: { wideIds: true, json: 'pretty' },

  lagging: { lagMs: 300, invoicePayments: false },

  bucket: { rateWindow: 'bucket', limit: 100, windowSeconds: 2, resetUnit: 'left', burst: 'never' },
};

/** Variants whose lists show every change at once, and whose identifiers a JavaScript number represents exactly. */
export const promptVariants = Object.entries(variants).filter(
  ([, { wideIds, lagMs, rateWindow }]) => !wideIds && !lagMs && rateWindow !== 'bucket',
);
