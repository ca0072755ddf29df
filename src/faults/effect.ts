import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Effect, EffectName } from '../domain/faults.js';
import { type OptionSchema, optionsValidator } from './options.js';

/** Conditions that an effect may need or prevent, as worded in error messages. */
export const conditions = {
  'request-handled': 'the request to be handled',
  'request-ended': 'the request to end',
  'response-sent': 'a response',
  'message-sent': 'the first attempt to be sent',
};

type Condition = keyof typeof conditions;

/**
 * Description of an effect, which is one thing that a fault does, such as `latency`. A fault combines effects with
 * matchers that select requests or webhooks.
 */
export interface EffectDescription {
  readonly name: EffectName;
  /** Summary in one line. */
  readonly summary: string;
  /** Example in the short form, such as `latency=2s`. */
  readonly example: string;
  /** Name of the option that the short form `name=value` sets: `status` for `status=503`. */
  readonly valueOption?: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
  /** Condition without which the effect does nothing. */
  readonly needs?: Condition;
  /** Conditions that a fault with this effect never meets: its other effects cannot need them. */
  readonly prevents?: readonly Condition[];
}

/** An effect with the validation of its options. */
export interface CheckedEffect extends EffectDescription {
  /** Returns the errors in options; empty if there are none. */
  check(options: unknown): readonly ErrorObject[];
}

/** An effect that can be applied to a subject, which is a response or a webhook message. */
export interface DefinedEffect<Subject, Context> extends CheckedEffect {
  /** Applies the effect to a subject. @throws Error if its options are not valid */
  run(subject: Subject, effect: Effect, context: Context): Subject;
}

/**
 * Adds the validation of options to a description.
 * @param validate by default, a validator of the described options
 */
export function checkedEffect(
  description: EffectDescription,
  validate = optionsValidator<unknown>(description.options, description.required ?? []),
): CheckedEffect {
  return {
    ...description,
    check(options) {
      const result = validate(options);
      return 'errors' in result ? result.errors : [];
    },
  };
}

/** Defines an effect. `apply` is pure: it must not change its arguments. */
export function defineEffect<Subject, Context, Options>(
  description: EffectDescription,
  apply: (subject: Subject, options: Options, context: Context) => Subject,
): DefinedEffect<Subject, Context> {
  const validate = optionsValidator<Options>(description.options, description.required ?? []);
  return {
    ...checkedEffect(description, validate),
    run(subject, { name, ...options }, context) {
      const result = validate(options);
      if ('errors' in result) throw new Error(`the options of the effect ${name} are not valid`);
      return apply(subject, result.options, context);
    },
  };
}
