import { html, type SafeHtml } from '@remix-run/html-template';
import type { DashboardLocation } from '../components/dashboard-page.js';
import { form } from '../components/form.js';

interface Preset {
  readonly label: string;
  readonly hint: string;
  /** The values of the form fields, which have the same names as in the form for a new fault. */
  readonly fields: Readonly<Record<string, string>>;
}

const presets: readonly Preset[] = [
  {
    label: 'Fail next request',
    hint: 'with 503, for any operation',
    fields: { effect: 'status=503', 'times:number': '1' },
  },
  { label: 'Delay responses', hint: 'each by 2 s, until cleared', fields: { effect: 'latency=2s' } },
  {
    label: 'Rate limit',
    hint: "every request gets 429, for 30 s of the account's clock",
    // The first duration is the one in Retry-After, and the second is how long the fault is active.
    fields: { effect: 'rate-limited=30s', for: '30s' },
  },
  {
    label: 'Drop connection',
    hint: 'once, before the request is handled',
    fields: { effect: 'reset', 'times:number': '1' },
  },
  {
    label: 'Lose next response',
    hint: 'after the request is handled',
    fields: { effect: 'lose-response', 'times:number': '1' },
  },
  {
    label: 'Delay webhooks',
    hint: "each by 5 min of the account's clock, until cleared",
    fields: { effect: 'delay=5m' },
  },
  { label: 'Send webhooks twice', hint: 'until cleared', fields: { effect: 'duplicate' } },
  {
    label: 'Receiver down',
    hint: 'every webhook gets 503, until cleared',
    fields: { effect: 'receiver-fails=503' },
  },
];

/** Buttons that inject a common fault with one click. */
export function presetForms(location: DashboardLocation): SafeHtml {
  return html`<ul class="presets">
${presets.map(
  ({ label, hint, fields }, index) =>
    html`<li>${form(
      location,
      'addFault',
      html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button class="quiet">${label}</button>`,
      { className: 'action', part: `preset-${index + 1}` },
    )}<span class="hint">${hint}</span></li>\n`,
)}</ul>`;
}
