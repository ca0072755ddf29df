import { type EffectName, isForged } from '../../domain/faults.js';
import type { FaultedMessage, MessageWithFaults, OutgoingMessage } from '../../simulation/state/ports.js';
import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

/** Data and random numbers that an effect may need, for one message and one fault. */
export interface MessageContext extends Pick<MessageWithFaults, 'hasWaited' | 'retiredSecret' | 'findEarlier'> {
  /** Returns a number from 0 to 1, excluding 1; always the same for one random seed, fault and message. */
  readonly chance: () => number;
  /** Returns 64 hex digits; always the same for one random seed, fault and message. */
  readonly digits: () => string;
}

/** An effect on a webhook message before it is first sent. */
export type MessageEffect = DefinedEffect<FaultedMessage, MessageContext>;

export function defineMessageEffect<Options>(
  description: EffectDescription,
  apply: (faulted: FaultedMessage, options: Options, context: MessageContext) => FaultedMessage,
): MessageEffect {
  return defineEffect(description, apply);
}

/** Records that an effect has been applied to the message itself, and not to messages that faults added. */
export function withAppliedFault(faulted: FaultedMessage, name: EffectName): FaultedMessage {
  const [message, ...others] = faulted.copies;
  return { ...faulted, copies: [{ ...message, appliedFaults: [...message.appliedFaults, name] }, ...others] };
}

/**
 * Forges the last message that is still genuine. If there are several messages, the first is never forged, so that the
 * receiver gets one genuine message. If all others are forged already, the last is forged again.
 */
export function withForgedCopy(
  faulted: FaultedMessage,
  name: EffectName,
  forgery: (copy: OutgoingMessage) => Partial<OutgoingMessage>,
): FaultedMessage {
  const [message, ...others] = faulted.copies;
  const forge = (copy: OutgoingMessage): OutgoingMessage => ({
    ...copy,
    ...forgery(copy),
    appliedFaults: [...copy.appliedFaults, name],
  });
  if (others.length === 0) return { ...faulted, copies: [forge(message)] };
  const lastGenuine = others.findLastIndex((copy) => !isForged(copy.appliedFaults));
  const forgedIndex = lastGenuine === -1 ? others.length - 1 : lastGenuine;
  return {
    ...faulted,
    copies: [message, ...others.map((copy, index) => (index === forgedIndex ? forge(copy) : copy))],
  };
}
