import type { Effect, EffectName } from '../domain/faults.js';
import type { EffectText } from './effect.js';
import { hang } from './hang.js';
import { latency } from './latency.js';
import { loseResponse } from './lose-response.js';
import { maintenance } from './maintenance.js';
import { malformedJson } from './malformed-json.js';
import { messageEffects } from './messages.js';
import { outage } from './outage.js';
import { patch } from './patch.js';
import { rateLimited } from './rate-limited.js';
import { receiverFails } from './receiver-fails.js';
import type { Reply, RequestEffect, ServiceContext } from './reply.js';
import { reset } from './reset.js';
import { slowBody } from './slow-body.js';
import { status } from './status.js';
import { truncate } from './truncate.js';
import { wrongContentType } from './wrong-content-type.js';

/** The effects on requests. */
const requestEffects: readonly RequestEffect[] = [
  status,
  rateLimited,
  outage,
  maintenance,
  hang,
  reset,
  loseResponse,
  latency,
  slowBody,
  truncate,
  malformedJson,
  wrongContentType,
  patch,
];

const byName: ReadonlyMap<EffectName, RequestEffect> = new Map(requestEffects.map((effect) => [effect.name, effect]));

/** Every effect. */
export const effects: readonly (EffectText & Pick<RequestEffect, 'check'>)[] = [
  ...requestEffects,
  ...messageEffects,
  receiverFails,
];

/** What becomes of an answer by the effects of a fault, one after the other. */
export function applyEffects(reply: Reply, effects: readonly Effect[], context: ServiceContext): Reply {
  return effects.reduce((changed, effect) => byName.get(effect.name)?.run(changed, effect, context) ?? changed, reply);
}
