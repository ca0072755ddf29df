import { Blocked, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import { leavesOf } from '../../engine/delivery.js';
import { timeoutText } from '../../engine/eventually.js';
import { isClientError } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import {
  captureWhenExpired,
  depositAfterInvalidCaptures,
  statusAfterActionsWhenExpired,
} from '../deposit-lifecycle/refused-actions.js';
import { skipIfPartialCaptureIsFinal } from '../deposit-lifecycle/setups.js';
import type { Deposit } from '../deposits/setups.js';
import { eventQuotes } from '../field-quotes.js';
import { countedSecondPayment } from '../link-list/setups.js';
import { webhookReceiver } from '../webhook-receiver.js';
import {
  awaitDepositDelivery,
  awaitLaterDelivery,
  awaitPaymentDelivery,
  depositDeliveries,
  type EventName,
  type EventStep,
  eventNames,
  eventSteps,
  findDepositEvent,
  hasText,
  isAboutDeposit,
  isPaymentSucceeded,
  laterDepositDeliveries,
  laterEventSteps,
  linksWithDeliveries,
} from './setups.js';
import { expectEventOfEachStatus } from './shown-events.js';
import { writeTokenSteps } from './write-token-steps.js';

const common = { operation: null, spec: 'Events' } as const;

/** When each event occurs, as its name suggests. */
const occasions: Readonly<Record<EventName, string>> = {
  'payment.succeeded': 'a link is paid',
  'deposit.created': 'a deposit is created',
  'deposit.authorized': 'the guest authorizes a deposit',
  'deposit.partially_captured': 'part of a deposit is captured',
  'deposit.captured': 'a deposit is captured',
  'deposit.released': 'a deposit is released',
  'deposit.expired': 'the authorization of a deposit expires',
  'deposit.failed': 'the card for a deposit is declined',
};

/**
 * For most events, the specification gives only the name, which suggests when they occur; hence the level `inferred`.
 */
const stepEventClauses: readonly Clause[] = eventNames.map((event, index) => ({
  ...common,
  id: numberedId('HOOK-EVENT', index + 1),
  level: event === 'deposit.expired' || event === 'payment.succeeded' ? 'documented' : 'inferred',
  quote: eventQuotes[event],
  title: `\`${event}\` is sent when ${occasions[event]}.`,
  check: async (context) => {
    if (event === 'payment.succeeded') return expectPaymentEvents(context);
    if (!(await awaitDepositDelivery(context, event, eventSteps[event]))) {
      if (event === 'deposit.partially_captured') await skipIfPartialCaptureIsFinal(context);
      throw new Violation(`a \`${event}\` webhook`, `none within ${timeoutText(context)}`);
    }
    const writeTokenStep = writeTokenSteps[event];
    if (writeTokenStep) await expectEventOfWriteToken(context, event, writeTokenStep);
    await expectEventOfEachStatus(context, event);
  },
}));

/** Expects a webhook about a step that was taken with a token that can only write. */
async function expectEventOfWriteToken(
  context: ClauseContext,
  event: EventName,
  writeTokenStep: Setup<EventStep>,
): Promise<void> {
  // Ignores all errors, also those of the driver: other clauses report them.
  const isTaken = await context.use(writeTokenStep).then(
    () => true,
    () => false,
  );
  if (isTaken && !(await awaitDepositDelivery(context, event, writeTokenStep))) {
    throw new Violation(
      `a \`${event}\` webhook about a request with a token that has only \`billing.write\``,
      `none within ${timeoutText(context)}`,
    );
  }
}

/**
 * Expects a `payment.succeeded` webhook about the payment of each link in `linksWithDeliveries`, and one about a second
 * payment of a link, if there is one.
 */
async function expectPaymentEvents(context: ClauseContext): Promise<void> {
  for (const { link, deliveries: found } of await context.use(linksWithDeliveries)) {
    if (!found.some(isPaymentSucceeded)) {
      throw new Violation(
        `a \`payment.succeeded\` webhook about the payment of the link ${link.body['description']}`,
        `none within ${timeoutText(context)}`,
      );
    }
  }
  const paidAgain = await ifPossible(context.use(countedSecondPayment));
  if (paidAgain && !(await awaitPaymentDelivery(context, paidAgain))) {
    throw new Violation(
      `a \`payment.succeeded\` webhook about the second payment of the link ${paidAgain.body['description']}`,
      `none within ${timeoutText(context)}`,
    );
  }
}

/** Clauses about events that follow a partial capture. */
const partialCaptureEventClauses: readonly Clause[] = (
  [
    ['09', laterEventSteps.captured, 'the remaining amount of a deposit is captured'],
    ['10', laterEventSteps.released, 'the remaining amount of a deposit is released'],
    ['11', laterEventSteps.expired, 'the authorization of a partially captured deposit expires'],
  ] as const
).map(
  ([number, step, occasion]): Clause => ({
    ...common,
    id: `HOOK-EVENT-${number}`,
    level: 'inferred',
    quote: eventQuotes[step.event],
    title: `\`${step.event}\` is also sent when ${occasion}.`,
    check: async (context) => {
      if (!(await awaitLaterDelivery(context, step)))
        throw new Violation(`a \`${step.event}\` webhook`, `none within ${timeoutText(context)}`);
    },
  }),
);

/**
 * Clauses about events that must not be sent. An unwanted webhook may arrive later than the expected one. Waiting for
 * the webhooks about other deposits usually gives it enough time.
 */
const absentEventClauses: readonly Clause[] = [
  {
    ...common,
    id: 'HOOK-EVENT-12',
    level: 'inferred',
    quote: eventQuotes['deposit.captured'],
    title: 'No `deposit.captured` or `deposit.expired` is sent for a deposit that is captured in part and released.',
    check: async (context) => {
      const { deposit } = await context.use(laterEventSteps.released.step);
      if (!(await awaitLaterDelivery(context, laterEventSteps.released)))
        throw new Blocked('no `deposit.released` about the deposit has arrived');
      await context.runIfPossible(laterDepositDeliveries);
      await expectNoEvent(context, deposit, ['deposit.captured', 'deposit.expired']);
    },
  },
  ...(
    [
      ['13', 'deposit.captured', 'that is captured in full', ['partially_captured', 'released', 'expired', 'failed']],
      ['14', 'deposit.released', 'that is released', ['partially_captured', 'captured', 'expired', 'failed']],
      [
        '15',
        'deposit.failed',
        'whose card is declined',
        ['authorized', 'partially_captured', 'captured', 'released', 'expired'],
      ],
    ] as const
  ).map(
    ([number, event, outcome, otherOutcomes]): Clause => ({
      ...common,
      id: `HOOK-EVENT-${number}`,
      level: 'inferred',
      quote: eventQuotes[event],
      title: `No webhook about another outcome is sent for a deposit ${outcome}.`,
      check: async (context) => {
        const { deposit } = await context.use(eventSteps[event]);
        if (!(await awaitDepositDelivery(context, event, eventSteps[event])))
          throw new Blocked(`no \`${event}\` about the deposit has arrived`);
        await context.runIfPossible(depositDeliveries);
        await expectNoEvent(
          context,
          deposit,
          otherOutcomes.map((other) => `deposit.${other}` as const),
        );
      },
    }),
  ),
  {
    ...common,
    id: 'HOOK-EVENT-16',
    level: 'inferred',
    quote: eventQuotes['deposit.captured'],
    title: 'No webhook about a capture is sent for a deposit whose captures were all refused, even for an expired one.',
    // Checked late, to give a delayed webhook time to arrive.
    readsEarlierResponses: true,
    check: async (context) => {
      const { deposit } = await context.use(depositAfterInvalidCaptures);
      await context.runIfPossible(depositDeliveries);
      const events = ['deposit.partially_captured', 'deposit.captured'] as const;
      await expectNoEvent(context, deposit, events);
      const capture = await ifPossible(context.use(captureWhenExpired));
      const expired = await ifPossible(context.use(statusAfterActionsWhenExpired));
      if (expired && capture && isClientError(capture)) await expectNoEvent(context, expired.deposit, events);
    },
  },
];

/**
 * Expects that no webhook of some events about a deposit has arrived.
 * @throws Violation; Blocked if no webhook shows which deposit it is about, so that an unwanted one could not be found
 */
async function expectNoEvent(context: ClauseContext, deposit: Deposit, events: readonly EventName[]): Promise<void> {
  const { deliveries } = (await context.use(webhookReceiver)).receiver;
  for (const event of events) {
    const unwanted = findDepositEvent(context, deliveries, event, deposit);
    if (unwanted) throw new Violation(`no ${events.join(' or ')} webhook about the deposit`, event, unwanted);
  }
  const isIdentified = deliveries.some(
    (delivery) => isAboutDeposit(delivery, context, deposit) || hasText(leavesOf(delivery), deposit.reference),
  );
  if (!isIdentified) throw new Blocked('no webhook identifies the deposit');
}

/** Which event is sent when, and which must not be sent. */
export const eventClauses: readonly Clause[] = [
  ...stepEventClauses,
  ...partialCaptureEventClauses,
  ...absentEventClauses,
];
