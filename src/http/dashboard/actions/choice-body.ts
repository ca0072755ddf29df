import { choicesOf } from '../../../domain/choices.js';
import { ServiceError } from '../../../domain/service-error.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { memberOf } from '../../../lib/json.js';
import { invalidChoices, isGapId } from '../../../openapi/profile.js';

/**
 * Combines the fields `choice` and `value` of a form into the body of the control API operation that sets the choice for
 * a gap: `{ choice: { name: value } }`, as in a profile file. A form without a value is returned unchanged if the choice
 * needs none. The form parser has already left out empty fields.
 * @throws ServiceError invalid, for required fields that are empty, or for the invalid part of the value
 */
export function choiceBody(gap: string, form: { readonly choice?: unknown; readonly value?: unknown }): object {
  const { choice, value, ...others } = form;
  const emptyFields = emptyRequiredFields(gap, choice, value);
  if (emptyFields.length > 0) {
    throw new ServiceError('invalid', {
      violations: emptyFields.map((path) =>
        path.length === 1
          ? { path, rule: 'custom', params: { message: `Enter a value for ${gap}.` } }
          : { path, rule: 'required', params: {} },
      ),
    });
  }
  if (value === undefined) return form;
  const choiceWithValue = { [String(choice)]: value };
  const [error] = invalidChoices({ [gap]: choiceWithValue });
  const [, choiceName, ...valuePath] = error?.path ?? [];
  // The operation itself refuses an unknown gap or choice.
  if (error && choiceName !== undefined) {
    const path = ['value', ...valuePath];
    // The page shows the label of the field instead of its name.
    const message = `${path.join('.')}: ${error.reason}`;
    throw new ServiceError('invalid', { violations: [{ path, rule: 'custom', params: { message } }] });
  }
  return { ...others, choice: choiceWithValue };
}

/** The paths of the fields that a choice needs and the form does not have. None for an unknown gap or choice. */
function emptyRequiredFields(gap: string, choice: unknown, value: unknown): string[][] {
  if (!isGapId(gap)) return [];
  const takes = choicesOf(gapRegistry[gap]).find(({ name }) => name === choice)?.takes;
  if (takes === undefined) return [];
  const { type, required } = takes;
  if (type !== 'object') return value === undefined ? [['value']] : [];
  const names = Array.isArray(required) ? required.map(String) : [];
  return names.filter((name) => memberOf(value, name) === undefined).map((name) => ['value', name]);
}
