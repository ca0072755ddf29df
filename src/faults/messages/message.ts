import { type EffectName, isForged } from '../../domain/faults.js';
import type { FaultedMessage, MessageWithFaults, OutgoingMessage } from '../../simulation/state/ports.js';
import { type DefinedEffect, defineEffect, type EffectText } from '../effect.js';

/** Context of an effect: the message, and the fault that it belongs to. */
export interface MessageContext extends Pick<MessageWithFaults, 'hasWaited' | 'retiredSecret' | 'earlier'> {
  /** From 0 to 1, excluding 1; the same for the same random seed, fault and message. */
  readonly chance: () => number;
  /** 64 hex digits; the same for the same random seed, fault and message. */
  readonly digits: () => string;
}

/** An effect on a webhook message before it is first sent. */
export type MessageEffect = DefinedEffect<FaultedMessage, MessageContext>;

export function defineMessageEffect<Options>(
  text: EffectText,
  apply: (treatment: FaultedMessage, options: Options, context: MessageContext) => FaultedMessage,
): MessageEffect {
  return defineEffect(text, apply);
}

/** Adds an effect to the applied faults of the message itself. */
export function noted(treatment: FaultedMessage, name: EffectName): FaultedMessage {
  const [message, ...others] = treatment.copies;
  return { ...treatment, copies: [{ ...message, appliedFaults: [...message.appliedFaults, name] }, ...others] };
}

/**
 * Forges the last genuine copy. If there are several messages, the first is spared, so that a genuine one is delivered;
 * if only that is genuine, the last one is forged again.
 */
export function forged(
  treatment: FaultedMessage,
  name: EffectName,
  forgery: (copy: OutgoingMessage) => Partial<OutgoingMessage>,
): FaultedMessage {
  const [message, ...others] = treatment.copies;
  const forge = (copy: OutgoingMessage): OutgoingMessage => ({
    ...copy,
    ...forgery(copy),
    appliedFaults: [...copy.appliedFaults, name],
  });
  if (others.length === 0) return { ...treatment, copies: [forge(message)] };
  const genuine = others.findLastIndex((copy) => !isForged(copy.appliedFaults));
  const place = genuine === -1 ? others.length - 1 : genuine;
  return { ...treatment, copies: [message, ...others.map((copy, index) => (index === place ? forge(copy) : copy))] };
}
