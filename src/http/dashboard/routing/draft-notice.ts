import { randomUUID } from 'node:crypto';
import { html } from '@remix-run/html-template';
import type { Notice } from '../components/dashboard.js';
import { keyField } from '../components/form-fields.js';
import { afterStep } from '../components/form-rows.js';

/** Keeps a form that is still being filled in, after rows were added or removed. */
export function draftNotice(params: URLSearchParams): Notice {
  const form = { key: params.get(keyField) ?? '', notice: randomUUID(), values: afterStep(params), errors: new Map() };
  return { kind: 'draft', content: html``, form };
}
