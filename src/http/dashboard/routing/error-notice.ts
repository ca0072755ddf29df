import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { ErrorCode, ServiceError } from '../../../domain/service-error.js';
import type { Profile } from '../../../openapi/gaps.js';
import { asSentence } from '../../../text/format.js';
import { errorText } from '../../service/errors.js';
import type { Notice } from '../components/dashboard.js';
import { formKeyField } from '../components/form-fields.js';
import { tokenField } from '../contract/actions.js';

/** The form fields that show an error, keyed by its code, for errors that do not name a field. */
const fieldsByErrorCode: Partial<Record<ErrorCode, readonly string[]>> = {
  'account-exists': ['id'],
  'payment-too-large': ['amount'],
  'capture-too-large': ['amount'],
  'clock-backwards': ['to', 'by'],
  'clock-too-far': ['to', 'by'],
  'deposit-unknown': ['deposit'],
  'invoice-unknown': ['invoice'],
  'payment-link-unknown': ['payment_link'],
  'payment-link-inactive': ['payment_link'],
};

/** Fields that stay empty when a form is shown again: files, which a page cannot fill in, and secrets. */
const fieldsLeftEmpty = ['file:json', tokenField];

/** Form fields whose errors have another key. An error in a choice for a gap has the key `profile`. */
const fieldsByErrorKey: Readonly<Record<string, string>> = { profile: 'value' };

/** The notice after an error: the values of the form, and a message for each field. */
export function errorNotice(serviceError: ServiceError, profile: Profile, params: URLSearchParams): Notice {
  const { error, errors = {} } = errorText(serviceError, profile);
  const hint = serviceError.hint === undefined ? '' : asSentence(serviceError.hint);
  const sentFields = new Set([...params.keys()].map((name) => name.replace(/(?:\[\])?(?::\w+)?$/, '')));
  const messagesByField = new Map(
    Object.entries(errors).map(([key, messages]) => [
      fieldsByErrorKey[key] ?? key.replace(/\[(\d+)\]/g, '.$1'),
      messages.map(asSentence).join(' '),
    ]),
  );
  for (const field of messagesByField.size > 0 ? [] : (fieldsByErrorCode[serviceError.code] ?? [])) {
    if (sentFields.has(field)) messagesByField.set(field, `${asSentence(error)} ${hint}`.trim());
  }
  const content = messagesByField.size > 0 ? html`` : html`<p>${asSentence(error)} ${hint}</p>`;
  const formKey = params.get(formKeyField);
  // A button is a form without fields and without a key: nothing to show again, so the errors become the notice.
  if (formKey === null)
    return {
      kind: 'refused',
      content: html`<p>${[...messagesByField.values()].join(' ') || html`${asSentence(error)} ${hint}`}</p>`,
    };
  const values = new URLSearchParams([...params].filter(([name]) => !fieldsLeftEmpty.includes(name)));
  return { kind: 'refused', content, form: { key: formKey, noticeId: randomUUID(), values, errors: messagesByField } };
}
