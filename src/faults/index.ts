import type { Effect, EffectName } from '../domain/faults.js';
import { receiverFails } from './attempts/receiver-fails.js';
import type { CheckedEffect } from './effect.js';
import { messageEffects } from './messages/index.js';
import { hang } from './requests/hang.js';
import { latency } from './requests/latency.js';
import { loseResponse } from './requests/lose-response.js';
import { maintenance } from './requests/maintenance.js';
import { malformedJson } from './requests/malformed-json.js';
import { outage } from './requests/outage.js';
import { patch } from './requests/patch.js';
import { rateLimited } from './requests/rate-limited.js';
import type { Reply, RequestEffect, ServiceContext } from './requests/reply.js';
import { reset } from './requests/reset.js';
import { slowBody } from './requests/slow-body.js';
import { status } from './requests/status.js';
import { truncate } from './requests/truncate.js';
import { wrongContentType } from './requests/wrong-content-type.js';

/** Effects on requests. */
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

/** Names of the effects on requests, which the `X-Sim-Fault` header accepts. */
export const requestEffectNames = requestEffects.map(({ name }) => name);

const requestEffectsByName: ReadonlyMap<EffectName, RequestEffect> = new Map(
  requestEffects.map((effect) => [effect.name, effect]),
);

/** All effects, with their descriptions and the validation of their options. */
export const effects: readonly CheckedEffect[] = [...requestEffects, ...messageEffects, receiverFails];

/** Applies the effects of a fault to a reply, in order. Effects that do not act on requests are ignored. */
export function applyEffects(reply: Reply, effectsOfFault: readonly Effect[], context: ServiceContext): Reply {
  return effectsOfFault.reduce(
    (changed, effect) => requestEffectsByName.get(effect.name)?.run(changed, effect, context) ?? changed,
    reply,
  );
}
