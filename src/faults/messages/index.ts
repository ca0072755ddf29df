import type { FaultResult, MessageWithFaults } from '../../simulation/state/ports.js';
import { burst } from './burst.js';
import { delay } from './delay.js';
import { drop } from './drop.js';
import { duplicate } from './duplicate.js';
import type { MessageContext, MessageEffect } from './message.js';
import { noSignature } from './no-signature.js';
import { reorder } from './reorder.js';
import { retiredSecret } from './retired-secret.js';
import { stale } from './stale.js';
import { tamperBody } from './tamper-body.js';
import { wrongSecret } from './wrong-secret.js';

/**
 * Effects on webhook messages. They apply in this order, whatever their order in a fault: first those that delay a
 * message, then the one that copies it, those that falsify its body or signature, the one that adds an earlier message,
 * and the one that drops it.
 */
export const messageEffects: readonly MessageEffect[] = [
  delay,
  burst,
  reorder,
  duplicate,
  tamperBody,
  wrongSecret,
  retiredSecret,
  noSignature,
  stale,
  drop,
];

/** Applies all faults of a message to it. */
export function applyEffectsToMessage(message: MessageWithFaults): FaultResult {
  const { id, event, body, secret, faults } = message;
  const original: FaultResult = {
    messages: [{ deliveryId: id, event, body, secret, appliedFaults: [] }],
    skippedFaults: [],
  };
  return messageEffects.reduce((result, effect) => {
    const requestedEffects = faults.flatMap((fault) =>
      fault.effects
        .filter(({ name }) => name === effect.name)
        .map((requested, index) => ({ requested, seedLabel: `${fault.id} ${effect.name} ${index}` })),
    );
    return requestedEffects.reduce(
      (current, { requested, seedLabel }) => effect.run(current, requested, contextOf(message, seedLabel)),
      result,
    );
  }, original);
}

/** @param seedLabel differs for each effect, so that each gets different random numbers */
function contextOf(message: MessageWithFaults, seedLabel: string): MessageContext {
  const { id, wasHeldBack, retiredSecret, findEarlier } = message;
  return {
    wasHeldBack,
    retiredSecret,
    findEarlier,
    random: () => message.seededNumber(`chance ${seedLabel} on ${id}`),
    hexDigits: () => message.seededHex(`digits ${seedLabel} on ${id}`),
  };
}
