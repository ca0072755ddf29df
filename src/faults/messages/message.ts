import { type EffectName, isForged } from '../../domain/faults.js';
import type { FaultedMessage, MessageWithFaults, OutgoingMessage } from '../../simulation/state/ports.js';
import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

/** Context of an effect: the message, and the fault that it belongs to. */
export interface MessageContext extends Pick<MessageWithFaults, 'hasWaited' | 'retiredSecret' | 'findEarlier'> {
  /** From 0 to 1, excluding 1; the same for the same random seed, fault and message. */
  readonly chance: () => number;
  /** 64 hex digits; the same for the same random seed, fault and message. */
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

/** Adds an effect to the applied faults of the message itself. */
export function withAppliedFault(faulted: FaultedMessage, name: EffectName): FaultedMessage {
  const [message, ...others] = faulted.copies;
  return { ...faulted, copies: [{ ...message, appliedFaults: [...message.appliedFaults, name] }, ...others] };
}

/**
 * Forges the last genuine copy. If there are several copies, the first stays genuine, so that one genuine message is
 * delivered; if the others are forged already, the last of them is forged again.
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
