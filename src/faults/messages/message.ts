import { type EffectName, isForged } from '../../domain/faults.js';
import type { FaultedMessage, MessageWithFaults, OutgoingMessage } from '../../simulation/state/ports.js';
import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

/** Data and random numbers that an effect may need, for one message and one fault. */
export interface MessageContext extends Pick<MessageWithFaults, 'hasWaited' | 'retiredSecret' | 'findEarlier'> {
  /** Returns a number from 0 to 1, excluding 1; always the same for one random seed, fault and message. */
  readonly chance: () => number;
  /** Returns 64 hex digits; always the same for one random seed, fault and message. */
  readonly hexDigits: () => string;
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
  const [message, ...others] = faulted.messages;
  return { ...faulted, messages: [{ ...message, appliedFaults: [...message.appliedFaults, name] }, ...others] };
}

/**
 * Forges the last message that is still genuine. If there are several messages, the first is never forged, so that the
 * receiver gets one genuine message. If all others are forged already, the last is forged again.
 */
export function withForgedMessage(
  faulted: FaultedMessage,
  name: EffectName,
  forgery: (original: OutgoingMessage) => Partial<OutgoingMessage>,
): FaultedMessage {
  const [message, ...others] = faulted.messages;
  const forge = (original: OutgoingMessage): OutgoingMessage => ({
    ...original,
    ...forgery(original),
    appliedFaults: [...original.appliedFaults, name],
  });
  if (others.length === 0) return { ...faulted, messages: [forge(message)] };
  const lastGenuine = others.findLastIndex(({ appliedFaults }) => !isForged(appliedFaults));
  const forgedIndex = lastGenuine === -1 ? others.length - 1 : lastGenuine;
  return {
    ...faulted,
    messages: [message, ...others.map((other, index) => (index === forgedIndex ? forge(other) : other))],
  };
}
