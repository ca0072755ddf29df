import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Effect, EffectName } from '../domain/faults.js';
import { type OptionSchema, optionsGuard } from './options.js';

/** Description of an effect. */
export interface EffectDescription {
  readonly name: EffectName;
  /** Summary in one line. */
  readonly summary: string;
  /** Example in the short form, such as `latency=2s`. */
  readonly example: string;
  /** Option that `name=value` sets in the short form. */
  readonly value?: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
}

/** An effect in the registry: `run` applies it to a subject with valid options. */
export interface DefinedEffect<Subject, Context> extends EffectDescription {
  /** Why options are invalid; empty if they are valid. */
  check(options: unknown): readonly ErrorObject[];
  run(subject: Subject, effect: Effect, context: Context): Subject;
}

/** Defines an effect. `apply` is pure: it must not change its arguments. */
export function defineEffect<Subject, Context, Options>(
  description: EffectDescription,
  apply: (subject: Subject, options: Options, context: Context) => Subject,
): DefinedEffect<Subject, Context> {
  const guard = optionsGuard<Options>(description.options, description.required ?? []);
  return {
    ...description,
    check(options) {
      const checked = guard(options);
      return 'errors' in checked ? checked.errors : [];
    },
    run(subject, { name, ...options }, context) {
      const checked = guard(options);
      if ('errors' in checked) throw new Error(`the options of the effect ${name} are not valid`);
      return apply(subject, checked.options, context);
    },
  };
}
