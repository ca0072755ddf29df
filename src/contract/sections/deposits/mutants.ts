import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../lib/json.js';
import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldRemover,
  fieldSetter,
  onData,
  refuseFullToken,
  removeField,
  withThousandsSeparator,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { heldAmount } from './setups.js';

const depositsPath = '/deposits';

/** Changes the deposit in the response to its creation. */
const onCreation = (change: (deposit: JsonObject) => void): Interceptor => onData('POST', depositsPath, change);
/** Changes the deposit in the response to a read. */
const onRead = (change: (deposit: JsonObject) => void): Interceptor => onData('GET', /^\/deposits\/[^/]+$/, change);

/**
 * Fields of a deposit, and wrong values that a read returns for them. `wrongPath` leads to the wrong part of the value,
 * if only a part of it is wrong.
 */
const wrongFields: readonly (readonly [field: string, wrongValue: unknown, wrongPath?: string])[] = [
  ['booking_reference', 'BK-0'],
  ['amount', withThousandsSeparator(heldAmount)],
  ['currency', 'USD'],
  ['customer', { name: 'Somebody', email: 'guest@example.com' }, 'customer.name'],
  ['customer', { name: 'Contract Suite', email: 'somebody@example.com' }, 'customer.email'],
  ['check_in_date', '2020-01-01'],
  ['check_out_date', '2020-01-01'],
  ['metadata', { run: 'another' }],
];

/** Returns an object with only the first key and value of another. */
function firstPairOf(metadata: unknown): JsonObject {
  return isRecord(metadata) ? Object.fromEntries(Object.entries(metadata).slice(0, 1)) : {};
}

/** Mutants for the clauses about creating deposits, and about the fields that they show (DEP-CREATE, DEP-FIELD). */
export const depositMutants: readonly MutantRow[] = [
  [
    'DEP-CREATE-01',
    'Creating a deposit with a token that has both scopes fails.',
    refuseFullToken('POST', depositsPath, 500),
  ],
  ['DEP-CREATE-02', 'A new deposit has no `authorization_url`.', onCreation(fieldRemover('authorization_url'))],
  [
    'DEP-CREATE-03',
    'The `authorization_url` is a path.',
    onCreation(fieldSetter({ authorization_url: '/authorize/1' })),
  ],
  ['DEP-CREATE-04', 'A new deposit has no `id`.', onCreation(fieldRemover('id'))],
  [
    'DEP-CREATE-05',
    'All deposits have the same `authorization_url`.',
    onCreation(fieldSetter({ authorization_url: 'https://pay.example/authorize' })),
  ],
  [
    'DEP-CREATE-06',
    'A deposit that is created with a write-only token has no `authorization_url`.',
    onData('POST', depositsPath, (deposit, { token }) => {
      if (token === 'write') removeField(deposit, 'authorization_url');
    }),
    // AUTH-ADMITS-11 creates a deposit with that token.
    { runsAfter: 'AUTH-ADMITS-11' },
  ],
  [
    'DEP-CREATE-07',
    'A new deposit gets the `status` of the request.',
    onData('POST', depositsPath, (deposit, { body: { status } }) => {
      if (status !== undefined) Object.assign(deposit, { status });
    }),
  ],
  [
    'DEP-FIELD-13',
    'A read returns a deposit with null as its `check_out_date`.',
    onRead(fieldSetter({ check_out_date: null })),
  ],
  [
    'DEP-FIELD-09',
    'In the response to a create request, non-ASCII characters of the booking reference become question marks.',
    onCreation(fieldConverter('booking_reference', (text) => String(text).replace(/[^ -~]/gu, '?'))),
  ],
  ['DEP-FIELD-10', 'A new deposit is always in EUR.', onCreation(fieldSetter({ currency: 'EUR' }))],
  [
    'DEP-FIELD-11',
    'A read returns a deposit with only the first key of its metadata.',
    onRead(fieldConverter('metadata', firstPairOf)),
  ],
  [
    'DEP-FIELD-14',
    'A read returns the empty metadata of a deposit as an empty array.',
    onRead(fieldConverter('metadata', (metadata) => (isDeepStrictEqual(metadata, {}) ? [] : metadata))),
  ],
  [
    'DEP-FIELD-12',
    'In the response to a create request, a booking reference of digits becomes a number.',
    onCreation((deposit) => {
      const { booking_reference: reference } = deposit;
      if (/^\d+$/.test(String(reference))) Object.assign(deposit, { booking_reference: Number(reference) });
    }),
  ],
  ...wrongFields.map(
    ([field, wrongValue, wrongPath = field], index): MutantRow => [
      numberedId('DEP-FIELD', index + 1),
      `A read returns a deposit with a different \`${wrongPath}\`.`,
      onRead(fieldSetter({ [field]: wrongValue })),
    ],
  ),
];
