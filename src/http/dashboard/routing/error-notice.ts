import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { ErrorCode, ServiceError } from '../../../domain/service-error.js';
import type { Profile } from '../../../openapi/gaps.js';
import { asSentence } from '../../../text/format.js';
import { errorText } from '../../service/errors.js';
import type { Notice } from '../components/dashboard.js';
import { keyField } from '../components/form-fields.js';
import { tokenField } from '../contract/actions.js';

/** The fields that an error without field names is about. */
const fieldsOfCodes: Partial<Record<ErrorCode, readonly string[]>> = {
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

/** Fields that are not filled in again: the content of a file, which a page cannot, and secrets. */
const emptiedFields = ['file:json', tokenField];

/** Fields of forms by the keys of their errors. */
const fieldsOfKeys: Readonly<Record<string, string>> = { profile: 'value' };

/** The notice of a form with errors: its values, and a message for each field. */
export function errorNotice(serviceError: ServiceError, profile: Profile, params: URLSearchParams): Notice {
  const { error, errors = {} } = errorText(serviceError, profile);
  const hint = serviceError.hint === undefined ? '' : asSentence(serviceError.hint);
  const sentFields = new Set([...params.keys()].map((name) => name.replace(/(?:\[\])?(?::\w+)?$/, '')));
  const messagesByField = new Map(
    Object.entries(errors).map(([key, messages]) => [
      fieldsOfKeys[key] ?? key.replace(/\[(\d+)\]/g, '.$1'),
      messages.map(asSentence).join(' '),
    ]),
  );
  for (const field of messagesByField.size > 0 ? [] : (fieldsOfCodes[serviceError.code] ?? [])) {
    if (sentFields.has(field)) messagesByField.set(field, `${asSentence(error)} ${hint}`.trim());
  }
  const content = messagesByField.size > 0 ? html`` : html`<p>${asSentence(error)} ${hint}</p>`;
  const key = params.get(keyField);
  if (key === null)
    return {
      kind: 'refused',
      content: html`<p>${[...messagesByField.values()].join(' ') || html`${asSentence(error)} ${hint}`}</p>`,
    };
  const values = new URLSearchParams([...params].filter(([name]) => !emptiedFields.includes(name)));
  return { kind: 'refused', content, form: { key, notice: randomUUID(), values, errors: messagesByField } };
}
