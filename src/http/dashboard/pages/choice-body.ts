import { ServiceError } from '../../../domain/service-error.js';
import { invalidChoices } from '../../../openapi/profile.js';

/**
 * Combines the fields `choice` and `value` of a form into the body of the operation, in the format of profile files:
 * `{ choice: { name: value } }`. A form without a value is returned unchanged.
 * @throws ServiceError invalid, for the field with the invalid part of the value
 */
export function choiceBody(gap: string, form: { readonly choice?: unknown; readonly value?: unknown }): object {
  const { choice, value, ...others } = form;
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
