import {
  coverErrors,
  coverKeys,
  coverOperations,
  coverScopes,
  type DocumentedOperation,
  sum,
} from '../../domain/call-coverage.js';
import { coverEvents, coverFaults, coverTransitions } from '../../domain/coverage.js';
import { coverRetries } from '../../domain/lost-answers.js';
import type { components } from '../../generated/control-validated-types.js';
import type { AccountState } from '../state/account-state.js';
import { CallCounts, Counter } from './counter.js';
import { CoverageCounters } from './coverage-counters.js';
import { LostAnswers } from './lost-answers.js';

/** Coverage of the API by the clients of an account; see openapi/control.yaml. */
export type CoverageReport = components['schemas']['Coverage'];

/**
 * Coverage of the API by the clients of an account. Counted live and kept in memory, independent of the rows of the
 * account, which may be reset or restored.
 */
export class Coverage {
  readonly calls = new CallCounts();
  /** Number of requests without an Idempotency-Key, by operation that accepts one. */
  readonly missingKeys = new Counter();
  /** Number of applied fault effects on requests. */
  readonly effects = new Counter();
  readonly lost = new LostAnswers();
  readonly counters = new CoverageCounters();

  /** @param operations documented operations under the account's profile */
  report(operations: readonly DocumentedOperation[], { profile, tokens }: AccountState): CoverageReport {
    const { calls, missingKeys, effects, lost, counters } = this;
    const { transitions, emitted, unsent, delivered, refused, forged, accepted } = counters;
    const counts = calls.all();
    const countsIn = (counter: Counter) => (name: string) => counter.get(name);
    return {
      requests: sum(counts),
      operations: coverOperations(operations, counts),
      errors: coverErrors(operations, counts),
      faults: coverFaults((effect) => effects.get(effect) + counters.effects.get(effect)),
      events: coverEvents({
        emitted: countsIn(emitted),
        unsent: countsIn(unsent),
        delivered: countsIn(delivered),
        refused: countsIn(refused),
      }),
      transitions: coverTransitions(profile, countsIn(transitions)),
      scopes: coverScopes(operations, tokens.rows, counts),
      keys: coverKeys(operations, counts, countsIn(missingKeys)),
      retries: coverRetries(lost.lost, lost.all),
      forged_webhooks: {
        sent: forged.get('accepted') + forged.get('refused'),
        refused: forged.get('refused'),
        accepted,
      },
    };
  }
}
