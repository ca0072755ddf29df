import { stageOf } from '../../domain/faults.js';
import { invalid } from '../../domain/service-error.js';
import { FaultError, readEffects } from '../../faults/rule.js';
import type { Injected } from '../exchange.js';

/** What the header X-Sim-Fault asks for, in the short form of effects. @throws ServiceError invalid */
export function askedBy(short: string): Injected {
  try {
    const effects = readEffects(short);
    const stage = stageOf({ effects, match: {} });
    if (stage === 'call' || stage === 'answer') return { id: 0, stage, effects, until: null, hits: 1 };
    throw new FaultError([], 'a request can be given effects on requests only; add a fault for those on webhooks');
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    throw invalid('X-Sim-Fault', 'said', { message: error.message });
  }
}
