import { describe, expect, it } from 'vitest';
import { depositLifecycle } from '../../src/domain/deposit-lifecycle.js';
import { invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import { findTransition, type Transition } from '../../src/domain/lifecycle.js';
import { paymentLifecycle } from '../../src/domain/payment-lifecycle.js';
import { type EventName, eventNames } from '../../src/domain/records.js';
import { billingDocument } from '../../src/generated/billing-document.js';
import { type Profile, resolveProfile } from '../../src/openapi/profile.js';

interface Lifecycle {
  readonly name: string;
  /** Name of the status's schema in the API document. */
  readonly schema: string;
  readonly table: readonly Transition<string, string, string>[];
  /** Statuses in which a record is created, by a request or in a seed. */
  readonly initialStatuses: readonly string[];
  /** Statuses without transitions. */
  readonly finalStatuses: readonly string[];
  /** Each allowed transition, as `from cause [condition] → to`, under the default choices. */
  readonly allowedTransitions: readonly string[];
}

const lifecycles: readonly Lifecycle[] = [
  {
    name: 'deposit',
    schema: 'DepositStatus',
    table: depositLifecycle,
    initialStatuses: ['pending'],
    finalStatuses: ['captured', 'released', 'expired', 'failed'],
    allowedTransitions: [
      'pending authorize → authorized',
      'pending decline → failed',
      'pending expire → expired',
      'authorized capture in-part → partially_captured',
      'authorized capture in-full → captured',
      'authorized release → released',
      'authorized expire → expired',
      'partially_captured capture in-part → partially_captured',
      'partially_captured capture in-full → captured',
      'partially_captured release → released',
      'partially_captured expire → expired',
    ],
  },
  {
    name: 'invoice',
    schema: 'InvoiceStatus',
    table: invoiceLifecycle,
    initialStatuses: ['draft', 'pending'],
    finalStatuses: ['paid', 'cancelled'],
    allowedTransitions: [
      'draft finalize → pending',
      'draft cancel → cancelled',
      'pending send → sent',
      'pending view → viewed',
      'sent view → viewed',
      ...['pending', 'sent', 'viewed', 'partial'].flatMap((from) => [
        `${from} pay in-full → paid`,
        `${from} pay in-part → partial`,
        `${from} fall-due → overdue`,
        `${from} cancel → cancelled`,
      ]),
      'overdue pay in-full → paid',
      'overdue pay in-part → overdue',
      'overdue cancel → cancelled',
    ],
  },
  {
    name: 'payment',
    schema: 'PaymentStatus',
    table: paymentLifecycle,
    initialStatuses: ['open'],
    finalStatuses: ['paid', 'failed'],
    allowedTransitions: [
      'open start → pending',
      'open succeed → paid',
      'open fail → failed',
      'pending succeed → paid',
      'pending fail → failed',
    ],
  },
];

/** Profiles with every combination of the choices that a row of a lifecycle table may depend on. */
const profiles = (['failed', 'pending'] as const).flatMap((decline) =>
  (['expired', 'captured'] as const).flatMap((expirePartial) =>
    (['released', 'captured'] as const).map(
      (releasePartial): Profile => ({
        ...resolveProfile({}),
        'deposit.decline': decline,
        'deposit.expire-partial': expirePartial,
        'deposit.release-partial': releasePartial,
      }),
    ),
  ),
);

describe.each(lifecycles.map((lifecycle) => [lifecycle.name, lifecycle] as const))(
  'the %s lifecycle',
  (_name, { schema, table, initialStatuses, finalStatuses, allowedTransitions }) => {
    const statuses = statusesOf(schema);

    it('can reach every status of the API document', () => {
      const reached = new Set(initialStatuses);
      // Each round finds at least one more status until none is left, so one round per status is enough.
      for (const _ of statuses) {
        for (const { from, to } of table) if (from.some((status) => reached.has(status))) reached.add(to);
      }
      expect([...reached].sort()).toEqual([...statuses].sort());
    });

    it('has only statuses of the API document', () => {
      const named = table.flatMap(({ from, to }) => [...from, to]);
      expect(named.filter((status) => !statuses.includes(status))).toEqual([]);
    });

    it('has no transitions from its final statuses, and some from all others', () => {
      const statusesWithTransitions = new Set(table.flatMap(({ from }) => from));
      expect(statuses.filter((status) => !statusesWithTransitions.has(status)).sort()).toEqual(
        [...finalStatuses].sort(),
      );
    });

    it('allows the listed transitions and refuses every other pair of status and cause', () => {
      const causes = [...new Set(table.map(({ cause }) => cause))];
      const foundTransitions = statuses.flatMap((from) =>
        causes.flatMap((cause) => {
          const conditions = new Set(table.filter((row) => row.cause === cause).map(({ when }) => when));
          return [...conditions].flatMap((when) => {
            const row = findTransition(table, from, cause, resolveProfile({}), when);
            return row ? [[from, cause, ...(when === undefined ? [] : [when]), '→', row.to].join(' ')] : [];
          });
        }),
      );
      expect(foundTransitions.sort()).toEqual([...allowedTransitions].sort());
    });

    it('has exactly one row for each transition, under any profile', () => {
      const statusesWithoutUniqueRow = profiles.flatMap((profile) =>
        table.flatMap(({ cause, when, from }) =>
          from.filter((status) => {
            const rows = table.filter((row) => findTransition([row], status, cause, profile, when));
            return rows.length !== 1;
          }),
        ),
      );
      expect(statusesWithoutUniqueRow).toEqual([]);
    });

    it('depends only on the choices that these tests vary', () => {
      const gaps = new Set(table.flatMap(({ choices = {} }) => Object.keys(choices)));
      const testedGaps = ['deposit.decline', 'deposit.expire-partial', 'deposit.release-partial'];
      expect([...gaps].filter((gap) => !testedGaps.includes(gap))).toEqual([]);
    });
  },
);

describe('the events of the API document', () => {
  const documented = Object.keys(billingDocument.webhooks ?? {});
  const emittedEvents = lifecycles.flatMap(({ table }) => table.flatMap(({ event }) => event ?? []));
  /** Emitted when a deposit is created, which is not a transition. */
  const creationEvent: EventName = 'deposit.created';

  it('are the events of `eventNames`', () => {
    expect(documented.toSorted()).toEqual(eventNames.toSorted());
  });

  it.each(documented.filter((event) => event !== creationEvent))('%s is emitted by a transition', (event) => {
    expect(emittedEvents).toContain(event);
  });

  it('include the events of all transitions, none of which emits the event of a creation', () => {
    expect(emittedEvents.filter((event) => !documented.includes(event) || event === creationEvent)).toEqual([]);
  });

  it('are named after the new status of the deposit, with two exceptions', () => {
    const exceptions = depositLifecycle.filter(({ event, to }) => event !== `deposit.${to}`);
    // A decline that leaves the deposit pending has no event. The release of a partially captured deposit may lead to
    // `captured`, but its event is still the release.
    expect(exceptions.map(({ cause, to, event }) => [cause, to, event])).toEqual([
      ['decline', 'pending', undefined],
      ['release', 'captured', 'deposit.released'],
    ]);
  });
});

function statusesOf(schema: string): readonly string[] {
  const statuses = billingDocument.components?.schemas?.[schema]?.enum;
  if (!statuses) throw new Error(`the document has no schema ${schema} with an enum`);
  return statuses.map(String);
}
