import type { TestOutcome } from './test-outcomes.js';

export interface TestCard {
  /** As it is printed on a card. */
  readonly number: string;
  readonly course: TestOutcome;
}

/** The cards that the pages for guests take. Every other one is declined. */
export const testCards: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', course: 'paid' },
  { number: '4000 0000 0000 0002', course: 'declined' },
  { number: '4000 0025 0000 3155', course: 'authentication' },
  { number: '4000 0000 0000 0077', course: 'paid-later' },
  { number: '4000 0000 0000 0341', course: 'fails-later' },
];

/** The outcome of a card hold: it exists or not, and is never pending. */
export type HoldOutcome = 'authorized' | 'declined' | 'authentication';

const holdOutcomes: Partial<Record<TestOutcome, HoldOutcome>> = {
  paid: 'authorized',
  declined: 'declined',
  authentication: 'authentication',
};

/** The test cards for holds. */
export const holdCards = testCards.flatMap(({ number, course }) => {
  const hold = holdOutcomes[course];
  return hold === undefined ? [] : [{ number, course: hold }];
});

/** A typed card number: one of a table, another valid one, or an invalid one. */
export type ReadCard<Card> =
  | { readonly kind: 'known'; readonly card: Card }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no-card'; readonly reason: string };

/** Looks a card up by the number that a guest has typed, with spaces or dashes or without. */
export function readCard<Card extends { readonly number: string }>(
  typed: string,
  cards: readonly Card[],
): ReadCard<Card> {
  const digits = typed.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return { kind: 'no-card', reason: 'A card number has 12 to 19 digits.' };
  const card = cards.find(({ number }) => number.replaceAll(' ', '') === digits);
  if (card) return { kind: 'known', card };
  if (!hasCheckDigit(digits)) return { kind: 'no-card', reason: 'This is not a valid card number: a digit is wrong.' };
  return { kind: 'unknown' };
}

/** Whether the last digit is the one that the others demand (ISO/IEC 7812, Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
