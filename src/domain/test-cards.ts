import type { TestOutcome } from './test-outcomes.js';

export interface TestCard {
  /** Grouped as printed on a card. */
  readonly number: string;
  readonly outcome: TestOutcome;
}

/** Cards with a fixed outcome on the checkout pages. Every other card is declined. */
export const testCards: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', outcome: 'paid' },
  { number: '4000 0000 0000 0002', outcome: 'declined' },
  { number: '4000 0025 0000 3155', outcome: 'authentication' },
  { number: '4000 0000 0000 0077', outcome: 'pays-later' },
  { number: '4000 0000 0000 0341', outcome: 'fails-later' },
];

/** Outcome of an attempt to hold a deposit on a card. `authentication`: the bank first asks the guest to approve it. */
export type HoldOutcome = 'authorized' | 'declined' | 'authentication';

const holdOutcomes: Partial<Record<TestOutcome, HoldOutcome>> = {
  paid: 'authorized',
  declined: 'declined',
  authentication: 'authentication',
};

/** Cards with a fixed outcome on the authorization pages of deposits. Every other card is declined. */
export const holdCards = testCards.flatMap(({ number, outcome }) => {
  const hold = holdOutcomes[outcome];
  return hold === undefined ? [] : [{ number, outcome: hold }];
});

/** Why an input is not a card number: it does not have 12 to 19 digits, or its Luhn check digit is wrong. */
export type InvalidCardReason = 'length' | 'check-digit';

/** Result of reading an input: a test card, another valid card number, or not a card number. */
export type ReadCardResult<Card> =
  | { readonly kind: 'test-card'; readonly card: Card }
  | { readonly kind: 'other-card' }
  | { readonly kind: 'not-a-card'; readonly reason: InvalidCardReason };

/** Looks up a typed card number, ignoring spaces and dashes. */
export function readCard<Card extends { readonly number: string }>(
  input: string,
  cards: readonly Card[],
): ReadCardResult<Card> {
  const digits = input.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return { kind: 'not-a-card', reason: 'length' };
  const card = cards.find(({ number }) => number.replaceAll(' ', '') === digits);
  if (card) return { kind: 'test-card', card };
  if (!hasValidCheckDigit(digits)) return { kind: 'not-a-card', reason: 'check-digit' };
  return { kind: 'other-card' };
}

/** True if the Luhn check digit is right (ISO/IEC 7812). */
function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
