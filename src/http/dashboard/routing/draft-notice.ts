import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { Notice } from '../components/dashboard.js';
import { keyField } from '../components/form-fields.js';
import { applyFormStep } from '../components/form-rows.js';

/** The notice that keeps the input of a form after a button of the form has added or removed rows. */
export function draftNotice(params: URLSearchParams): Notice {
  const form = {
    key: params.get(keyField) ?? '',
    notice: randomUUID(),
    values: applyFormStep(params),
    errors: new Map(),
  };
  return { kind: 'draft', content: html``, form };
}
