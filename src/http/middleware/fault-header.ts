import { isUtf8 } from 'node:buffer';
import { stageOf } from '../../domain/faults.js';
import { FaultError } from '../../faults/fault-error.js';
import { requestEffectNames } from '../../faults/index.js';
import { readEffects } from '../../faults/read-effects.js';
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

/** Node decodes headers as Latin-1, but most clients send UTF-8. Bytes that are not UTF-8 stay Latin-1. */
function decodeHeader(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}
