import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Effect, EffectName } from '../domain/faults.js';
import { type OptionSchema, optionsGuard } from './options.js';

/** Name and options of an effect, for people. */
export interface EffectText {
  readonly name: EffectName;
  /** One line that says what happens. */
  readonly summary: string;
  /** In the short form, such as `latency=2s`. */
  readonly example: string;
  /** The option that the short form sets by `name=value`. */
  readonly value?: string;
  readonly options: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
}

/** An effect as the registry holds it: `run` takes place on a subject, with options that fit. */
export interface DefinedEffect<Subject, Context> extends EffectText {
  /** Why options do not fit; empty if they do. */
  check(options: unknown): readonly ErrorObject[];
  run(subject: Subject, effect: Effect, context: Context): Subject;
}

/** Defines an effect on a subject. `apply` is pure: what it is given is never changed. */
export function defineEffect<Subject, Context, Options>(
  text: EffectText,
  apply: (subject: Subject, options: Options, context: Context) => Subject,
): DefinedEffect<Subject, Context> {
  const guard = optionsGuard<Options>(text.options, text.required ?? []);
  return {
    ...text,
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
