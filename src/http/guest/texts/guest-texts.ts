import type { UnpayableReason } from '../../../domain/payable.js';
import type { PaymentStatus } from '../../../domain/records.js';
import type { HoldOutcome, InvalidCardReason } from '../../../domain/test-cards.js';
import type { TestOutcome } from '../../../domain/test-outcomes.js';

/** Languages of the guest pages; the first is the default. */
export const guestLanguages = ['en', 'de', 'fr', 'es'] as const;

export type GuestLanguage = (typeof guestLanguages)[number];

type TitleAndText = readonly [title: string, text: string];

/** Errors caused by a wrong or outdated link. */
export type GuestErrorCode = 'account-not-found' | 'deposit-not-found' | 'payment-link-not-found';

/** The texts of the guest pages in one language. */
export interface GuestTexts {
  /** The language tag; amounts of money are formatted in this language, too. */
  readonly lang: GuestLanguage;
  /** The locale that formats dates. */
  readonly dateLocale: string;
  readonly footer: string;

  /** The button and the title of a payment page. */
  readonly pay: (amount: string) => string;
  readonly payWithoutCard: (amount: string) => string;
  readonly amountFor: (amount: string, purpose: string) => string;
  /** Label of the merchant on a payment page. */
  readonly paymentTo: string;
  readonly byCard: string;
  readonly otherMethods: string;
  readonly method: string;
  readonly outcome: string;
  /** Payment methods whose names differ between languages. */
  readonly methods: Readonly<Record<'card' | 'sepa_debit' | 'bank_transfer', string>>;
  readonly outcomes: Readonly<Record<TestOutcome, string>>;

  readonly invoice: (number: string) => string;
  readonly due: string;
  readonly amount: string;
  readonly alreadyPaid: string;
  readonly items: string;
  readonly item: string;
  readonly total: string;
  readonly moreItems: (count: number) => string;

  readonly cardNumber: string;
  readonly testCards: string;
  /** Explains that a click on a test card fills in its number. */
  readonly testCardHint: string;
  /** Heading of the column with the numbers of test cards. */
  readonly testCardNumber: string;
  readonly invalidCard: Readonly<Record<InvalidCardReason, string>>;
  /** Follows the error about an invalid card number. */
  readonly enterNumberAgain: string;
  /** Error for the number of a card that is not a test card. */
  readonly unknownCard: string;
  /** Error for the number of a card that is not a test card for holds. */
  readonly unknownHoldCard: string;
  readonly declinedCard: string;

  /** The page where the guest approves a payment, as with 3-D Secure: its title, explanation and buttons. */
  readonly challengeTitle: string;
  readonly challengeText: string;
  readonly approve: string;
  readonly decline: string;

  readonly paymentTitles: Readonly<Record<PaymentStatus, string>>;
  readonly paymentSucceeded: string;
  readonly paymentFailed: string;
  readonly paymentPending: string;
  /** Precedes the time at which the outcome of a pending payment will be known. */
  readonly outcomeKnownAt: string;
  /** Notice that the page reloads until the outcome is known. */
  readonly reloadNotice: string;
  /** Label of the link to the dashboard's page where the clock can be advanced. */
  readonly advanceClock: string;
  readonly reference: string;
  readonly paidAt: string;
  readonly payAgain: string;
  readonly tryAgain: string;
  /** Notice that the form has already been sent. */
  readonly alreadySent: string;
  /** Notice that the amount to pay has changed since the form was opened. */
  readonly amountChanged: string;

  /** Start of the page title for a payment link that cannot be paid, as in `This payment link is no longer active`. */
  readonly thisPaymentLink: string;
  /** The titles follow `invoice(number)` or `thisPaymentLink`, as in `Invoice 7 is paid`. */
  readonly unpayable: Readonly<Record<UnpayableReason, TitleAndText>>;
  /** Label of the link to the page where the guest approves a payment in progress. */
  readonly continue: string;

  readonly authorize: (amount: string) => string;
  readonly holdExplanation: string;
  /** Label of the merchant on an authorization page. */
  readonly depositFor: string;
  readonly card: string;
  readonly heldUntil: string;
  readonly authorizeBefore: string;
  readonly holdOutcomes: Readonly<Record<HoldOutcome, string>>;
  readonly amountToHold: (amount: string, booking: string | null) => string;
  readonly booking: string;
  readonly guest: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly charged: string;
  readonly hold: {
    readonly authorized: (amount: string) => TitleAndText;
    readonly partiallyCaptured: (captured: string) => TitleAndText;
    readonly captured: (captured: string) => TitleAndText;
    /** Title; the text is `nothingCharged` or `finalCharge`. */
    readonly released: string;
    /** Title; the text is `nothingCharged` or `finalCharge`. */
    readonly expired: string;
    readonly linkExpired: TitleAndText;
    readonly failed: TitleAndText;
    readonly nothingCharged: string;
    /** For a hold that has ended after a capture. */
    readonly finalCharge: (captured: string) => string;
  };

  readonly errors: Readonly<Record<GuestErrorCode, TitleAndText>>;
}
