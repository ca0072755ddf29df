import type { FaultContext, FaultRule } from '../../domain/faults.js';
import type { Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';
import type { Choices } from '../../openapi/profile.js';
import type { SnapshotFile } from '../../simulation/state/snapshot-file.js';

/** Parsers for JSON payloads that have the same format as files: seeds, scenarios, faults and snapshots. */
export interface PayloadParsers {
  /** @param choices valid choices of the account's profile @throws ServiceError invalid */
  readonly seed: (value: object, choices: Choices) => Seed;
  /** @throws ServiceError invalid */
  readonly scenario: (value: object, account: FaultContext) => Promise<Scenario>;
  /** Parses the text of a scenario file. The error names the line. @throws ServiceError invalid */
  readonly scenarioText: (text: string, account: FaultContext) => Promise<Scenario>;
  /** @throws ServiceError invalid */
  readonly fault: (value: object, account: FaultContext) => Promise<FaultRule>;
  /** @throws ServiceError invalid */
  readonly snapshot: (value: object) => Promise<SnapshotFile>;
}
