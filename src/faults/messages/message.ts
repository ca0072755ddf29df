import { type EffectName, isForged } from '../../domain/faults.js';
import type { FaultResult, MessageWithFaults, OutgoingMessage } from '../../simulation/state/ports.js';
import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

/** Data and random numbers that an effect of a fault may need for one message. */
export interface MessageContext extends Pick<MessageWithFaults, 'wasHeldBack' | 'retiredSecret' | 'findEarlier'> {
  /** Returns a number of at least 0 and less than 1. It depends only on the random seed, the effect and the message. */
  readonly random: () => number;
  /** Returns 64 hex digits. They depend only on the random seed, the effect and the message. */
  readonly hexDigits: () => string;
}

/** An effect on a webhook message before it is first sent. */
export type MessageEffect = DefinedEffect<FaultResult, MessageContext>;

export function defineMessageEffect<Options>(
  description: EffectDescription,
  apply: (result: FaultResult, options: Options, context: MessageContext) => FaultResult,
): MessageEffect {
  return defineEffect(description, apply);
}

/** Records an effect as applied to the message itself, but not to messages that faults added. */
export function withAppliedFault(result: FaultResult, name: EffectName): FaultResult {
  const [message, ...others] = result.messages;
  return { ...result, messages: [{ ...message, appliedFaults: [...message.appliedFaults, name] }, ...others] };
}

/** Records why an effect could not be applied. */
export function withSkippedFault(result: FaultResult, effect: EffectName, reason: string): FaultResult {
  return { ...result, skippedFaults: [...result.skippedFaults, { effect, reason }] };
}

/**
 * Forges one message. If there are several, the first one stays genuine, so that the event still arrives. Of the
 * others, the last one that is still genuine is forged; if there is none, the last one is forged again.
 */
export function withForgedMessage(
  result: FaultResult,
  name: EffectName,
  forgery: (original: OutgoingMessage) => Partial<OutgoingMessage>,
): FaultResult {
  const [message, ...others] = result.messages;
  const forge = (original: OutgoingMessage): OutgoingMessage => ({
    ...original,
    ...forgery(original),
    appliedFaults: [...original.appliedFaults, name],
  });
  if (others.length === 0) return { ...result, messages: [forge(message)] };
  const lastGenuine = others.findLastIndex(({ appliedFaults }) => !isForged(appliedFaults));
  const forgedIndex = lastGenuine === -1 ? others.length - 1 : lastGenuine;
  return {
    ...result,
    messages: [message, ...others.map((other, index) => (index === forgedIndex ? forge(other) : other))],
  };
}
