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
import { Counter } from '../state/counter.js';
import { CallCounts } from './call-counts.js';
import { CoverageCounters } from './coverage-counters.js';
import { LostAnswers } from './lost-answers.js';

/** Coverage of the API by the clients of an account; see openapi/control.yaml. */
export type CoverageReport = components['schemas']['Coverage'];

/**
 * Coverage of the API by the clients of an account. It is counted live, since the rows of the account may be taken back
 * to an earlier state; and kept in memory only.
 */
export class Coverage {
  readonly calls = new CallCounts();
  /** How often operations that take an Idempotency-Key were given none. */
  readonly missingKeys = new Counter();
  /** How often effects of faults have taken place on requests. */
  readonly effects = new Counter();
  readonly lost = new LostAnswers();
  readonly counters = new CoverageCounters();

  /** @param operations those that the document of the account's profile has */
  report(operations: readonly DocumentedOperation[], { profile, tokens }: AccountState): CoverageReport {
    const { calls, missingKeys, effects, lost, counters } = this;
    const { steps, emitted, unsent, delivered, refused, forged, accepted } = counters;
    const counts = calls.all();
    const numberOf = (tally: Counter) => (name: string) => tally.get(name);
    return {
      requests: sum(counts),
      operations: coverOperations(operations, counts),
      errors: coverErrors(operations, counts),
      faults: coverFaults((effect) => effects.get(effect) + counters.effects.get(effect)),
      events: coverEvents({
        emitted: numberOf(emitted),
        unsent: numberOf(unsent),
        delivered: numberOf(delivered),
        refused: numberOf(refused),
      }),
      transitions: coverTransitions(profile, numberOf(steps)),
      scopes: coverScopes(operations, tokens.rows, counts),
      keys: coverKeys(operations, counts, numberOf(missingKeys)),
      retries: coverRetries(lost.lost, lost.all),
      forged_webhooks: {
        sent: forged.get('accepted') + forged.get('refused'),
        refused: forged.get('refused'),
        accepted,
      },
    };
  }
}
