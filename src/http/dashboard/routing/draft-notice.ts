import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { Notice } from '../components/dashboard-page.js';
import { formKeyField } from '../components/form-fields.js';
import { applyRowButton } from '../components/form-rows.js';

/**
 * The notice that shows a form again after a button that only changes the form, such as `Add row`: with the row that
 * the button added, or without the row that it removed.
 */
export function draftNotice(params: URLSearchParams): Notice {
  const form = {
    key: params.get(formKeyField) ?? '',
    noticeId: randomUUID(),
    values: applyRowButton(params),
    errors: new Map(),
    labels: new Map(),
  };
  return { kind: 'draft', content: html``, form };
}
