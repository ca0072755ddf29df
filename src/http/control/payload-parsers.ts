import type { FaultRule } from '../../domain/faults.js';
import type { Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';

/** Parsers for JSON payloads that have the same format as files: seeds, scenarios and faults. */
export interface PayloadParsers {
  /** @throws ServiceError invalid */
  readonly seed: (value: object) => Seed;
  /** @throws ServiceError invalid */
  readonly scenario: (value: object) => Promise<Scenario>;
  /** @throws ServiceError invalid */
  readonly fault: (value: object) => Promise<FaultRule>;
}
