import { stageOf } from '../../domain/faults.js';
import { FaultError } from '../../faults/fault-error.js';
import { requestEffectNames } from '../../faults/index.js';
import { readEffects } from '../../faults/read-effects.js';
import { decodeHeader } from '../../lib/decode-header.js';
import { withFieldErrors } from '../control/parse-fields.js';
import { type ActiveFault, headerFaultId } from '../service/faults/fault-plan.js';

/** Parses the `X-Sim-Fault` header, which contains effects in short form. @throws ServiceError if it is invalid */
export function parseFaultHeader(header: string): ActiveFault {
  return withFieldErrors(() => {
    const effects = readEffects(decodeHeader(header), requestEffectNames);
    const stage = stageOf({ effects, match: {} });
    // It acts only on this request, which counts as the first.
    if (stage === 'request' || stage === 'response')
      return { id: headerFaultId, stage, effects, until: null, times_fired: 1 };
    throw new FaultError(
      [],
      'the header accepts only effects on requests; for effects on webhooks, use billing-sim fault add',
    );
  }, 'X-Sim-Fault');
}
