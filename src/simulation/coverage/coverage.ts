import {
  type DocumentedOperation,
  errorCoverage,
  keyCoverage,
  operationCoverage,
  scopeCoverage,
  sum,
} from '../../domain/call-coverage.js';
import { eventCoverage, faultCoverage, transitionCoverage } from '../../domain/coverage.js';
import { retryCoverage } from '../../domain/lost-answers.js';
import type { components } from '../../generated/control-validated-types.js';
import type { AccountState } from '../state/account-state.js';
import { CallCounts, Counter } from './counter.js';
import { CoverageCounters } from './coverage-counters.js';
import { LostAnswers } from './lost-answers.js';

/** Report on coverage; described in openapi/control.yaml. */
export type CoverageReport = components['schemas']['Coverage'];

/**
 * Coverage of the API by the clients of an account. It is counted as requests arrive and kept in memory. Resetting or
 * restoring the account does not change it.
 */
export class Coverage {
  readonly calls = new CallCounts();
  /** Number of requests without an Idempotency-Key, by operation; only for operations that accept one. */
  readonly missingKeys = new Counter();
  /** Number of applied fault effects on requests, by name of the effect. */
  readonly effects = new Counter();
  readonly lostAnswers = new LostAnswers();
  readonly counters = new CoverageCounters();

  /** @param operations documented operations under the account's profile */
  report(operations: readonly DocumentedOperation[], { profile, tokens }: AccountState): CoverageReport {
    const { calls, missingKeys, effects, lostAnswers, counters } = this;
    const { transitions, emitted, unsent, delivered, refused, forged, acceptedForgeries } = counters;
    const counts = calls.all();
    const countsIn = (counter: Counter) => (name: string) => counter.get(name);
    return {
      requests: sum(counts),
      operations: operationCoverage(operations, counts),
      errors: errorCoverage(operations, counts),
      faults: faultCoverage((effect) => effects.get(effect) + counters.effects.get(effect)),
      events: eventCoverage({
        emitted: countsIn(emitted),
        unsent: countsIn(unsent),
        delivered: countsIn(delivered),
        refused: countsIn(refused),
      }),
      transitions: transitionCoverage(profile, countsIn(transitions)),
      scopes: scopeCoverage(operations, tokens.rows, counts),
      keys: keyCoverage(operations, counts, countsIn(missingKeys)),
      retries: retryCoverage(lostAnswers.count, lostAnswers.all),
      forged_webhooks: {
        sent: forged.get('accepted') + forged.get('refused'),
        refused: forged.get('refused'),
        accepted: acceptedForgeries,
      },
    };
  }
}
