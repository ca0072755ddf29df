import type { Level } from '../../engine/clause.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import type { Creation } from '../created-records.js';
import { invalidCreations } from '../invalid-creations.js';
import { postAnotherLink } from './setups.js';

type LinkField = 'description' | 'amount' | 'currency';

/** A field of a link, with a value that makes a valid link invalid; undefined if the field is omitted. */
interface InvalidField {
  readonly field: LinkField;
  readonly value: unknown;
}

function postInvalidLink(context: ClauseContext, invalidFields: readonly InvalidField[]): Promise<Creation> {
  const body = { description: context.withRunPrefix('invalid'), amount: 10 };
  const changes = Object.fromEntries(invalidFields.map(({ field, value }) => [field, value]));
  return postAnotherLink(context, { ...body, ...changes }, { isInvalid: true });
}

/** Sent alone, because gaps are about the errors for this one field. */
export const linkWithoutDescription = setup('a link without a description', (context) =>
  postInvalidLink(context, [{ field: 'description', value: undefined }]),
);

/**
 * Sent alone, with its own description, by which it would be found if it was created although it is refused. A link with an
 * invalid description could not be found.
 */
export const linkWithoutAmount = setup('a link without an amount', (context) =>
  postAnotherLink(context, { description: context.withRunPrefix('without amount') }, { isInvalid: true }),
);

/** Further links that must be refused because of one field. */
const otherInvalidLinks: readonly (readonly [
  number: string,
  level: Level,
  field: LinkField,
  defect: string,
  value: unknown,
])[] = [
  ['15', 'inferred', 'amount', 'whose amount is a word', 'ten'],
  ['16', 'inferred', 'description', 'whose description is an object', { text: 'contract' }],
  ['17', 'inferred', 'currency', 'whose currency does not have 3 letters', 'EURO'],
  ['24', 'documented', 'amount', 'with an amount of null', null],
  ['25', 'documented', 'description', 'with a description of null', null],
  ['26', 'inferred', 'description', 'with an empty description', ''],
];

/** Links that must be refused because of one field, each with a setup that tries to create it. */
export const invalidLinks = [
  {
    number: '13',
    level: 'documented',
    field: 'description',
    title: 'A link without a description is refused.',
    creation: linkWithoutDescription,
  },
  {
    number: '14',
    level: 'documented',
    field: 'amount',
    title: 'A link without an amount is refused.',
    creation: linkWithoutAmount,
  },
  ...invalidCreations(
    'a link',
    otherInvalidLinks.map(([number, level, field, defect, value]) => ({
      number,
      level,
      field,
      title: `A link ${defect} is refused.`,
      value,
    })),
    postInvalidLink,
  ),
] as const;
