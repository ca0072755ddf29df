import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { ErrorCode, FieldViolation, ServiceError } from '../../../domain/service-error.js';
import type { Profile } from '../../../openapi/profile.js';
import { asSentence } from '../../../text/format.js';
import { errorText } from '../../service/errors.js';
import { fieldName, maxDescribedViolations, violationMessage } from '../../service/messages.js';
import type { Notice } from '../components/dashboard-page.js';
import { type BuildErrorMessage, formKeyName, pathOf } from '../components/form-fields.js';
import { applyRowButton } from '../components/form-rows.js';
import { tokenFieldName } from './contract-actions.js';

/** The form fields that show an error, keyed by its code, for errors that do not name a field. */
const fieldsByErrorCode: Partial<Record<ErrorCode, readonly string[]>> = {
  'account-exists': ['id'],
  'payment-too-large': ['amount'],
  'capture-too-large': ['amount'],
  'clock-backwards': ['to', 'by'],
  'clock-too-far': ['to', 'by'],
  'deposit-not-found': ['deposit'],
  'invoice-not-found': ['invoice'],
  'payment-link-not-found': ['payment_link'],
  'payment-link-inactive': ['payment_link'],
};

/** Fields that stay empty when a form is shown again: the file to import, which a page cannot fill in, and a secret. */
const fieldsLeftEmpty = ['file:json', tokenFieldName];

/** Form fields, keyed by the keys of their errors, where the two differ. An error in a choice has the key `profile`. */
const fieldsByErrorKey: ReadonlyMap<string, string> = new Map([['profile', 'value']]);

/** The notice after an error: the values of the form, and the errors of its fields. */
export function errorNotice(serviceError: ServiceError, profile: Profile, params: URLSearchParams): Notice {
  const { error } = errorText(serviceError, profile);
  const hint = serviceError.hint === undefined ? '' : asSentence(serviceError.hint);
  const text = `${asSentence(error)} ${hint}`.trim();
  const sentFields = new Set([...params.keys()].map(pathOf));
  const errors = fieldErrors(serviceError, profile, params);
  for (const field of errors.size > 0 ? [] : (fieldsByErrorCode[serviceError.code] ?? [])) {
    if (sentFields.has(field)) errors.set(field, () => text);
  }
  const formKey = params.get(formKeyName);
  // A form without a key is only a button, so there is nothing to show again, and the errors become the notice.
  if (formKey === null) {
    const messages = [...errors.values()].map((buildMessage) => buildMessage(undefined, new Map())).join(' ');
    return { kind: 'refused', content: html`<p>${messages || text}</p>` };
  }
  const values = new URLSearchParams([...params].filter(([name]) => !fieldsLeftEmpty.includes(name)));
  return {
    kind: 'refused',
    content: errors.size > 0 ? html`` : html`<p>${text}</p>`,
    form: { key: formKey, noticeId: randomUUID(), values, errors, labels: new Map() },
  };
}

/** The errors of a form's fields, keyed by path. The messages about invalid fields name the labels of the form. */
function fieldErrors(
  serviceError: ServiceError,
  profile: Profile,
  params: URLSearchParams,
): Map<string, BuildErrorMessage> {
  const { code, violations } = serviceError;
  if (code !== 'invalid') {
    const { errors = {} } = errorText(serviceError, profile);
    return new Map(Object.entries(errors).map(([key, messages]) => [key, () => messages.map(asSentence).join(' ')]));
  }
  const violationsByKey = new Map<string, FieldViolation[]>();
  for (const violation of violations.slice(0, maxDescribedViolations)) {
    const key = violation.path.join('.') || 'body';
    violationsByKey.set(key, [...(violationsByKey.get(key) ?? []), violation]);
  }
  return new Map(
    [...violationsByKey].map(([key, fieldViolations]) => [
      fieldsByErrorKey.get(key) ?? key,
      (label, labels) => {
        const messages = new Set(fieldViolations.map((violation) => labeledMessage(violation, key, label, labels)));
        // A user can only enter text, so a message about a number need not say that the input is a string.
        const redundantPart = params.has(`${key}:number`) ? ', not a string' : '';
        return [...messages].map((message) => asSentence(message.replace(redundantPart, ''))).join(' ');
      },
    ]),
  );
}

/** The message about a violation. If it begins with the key of the field, the label replaces the key. */
function labeledMessage(
  violation: FieldViolation,
  key: string,
  label: string | undefined,
  labels: ReadonlyMap<string, string>,
): string {
  const { path, params } = violation;
  // The field that the value was compared with, in the same object.
  const sibling = labels.get([...path.slice(0, -1), params['sibling']].join('.')) ?? params['sibling'];
  const message = violationMessage({ ...violation, params: { ...params, sibling } }, label ?? fieldName(key));
  const prefix = `${key}: `;
  return label !== undefined && message.startsWith(prefix) ? `${label}: ${message.slice(prefix.length)}` : message;
}

/**
 * The notice that shows a form again after a button that only changes the form, such as `Add row`. The form then has
 * the added row, or lacks the removed one.
 */
export function draftNotice(params: URLSearchParams): Notice {
  const form = {
    key: params.get(formKeyName) ?? '',
    noticeId: randomUUID(),
    values: applyRowButton(params),
    errors: new Map(),
    labels: new Map(),
  };
  return { kind: 'draft', content: html``, form };
}
