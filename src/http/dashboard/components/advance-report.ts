import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { formatDuration } from '../../../text/format.js';
import { formatAttempt, formatStep, summarizeSteps } from '../../../text/step-text.js';
import { recordLink } from './record-link.js';
import { sectionPath } from './sections.js';
import { timestamp } from './timestamp.js';

type AdvanceReport = components['schemas']['AdvanceReport'];
type Step = components['schemas']['Step'];

/** Maximum number of steps shown. The summary counts all steps. */
const maxSteps = 100;

/** The report of an advance of the clock: its steps in order. */
export function advanceReportList(account: string, { from, to, steps, in_progress }: AdvanceReport): SafeHtml {
  const hiddenCount = steps.length - maxSteps;
  return html`<p>Clock advanced by ${formatDuration(Date.parse(to) - Date.parse(from), Infinity)} to ${timestamp(to)}: ${summarizeSteps(steps)}.</p>
${
  steps.length === 0
    ? ''
    : html`<ol class="advance-report" tabindex="0" aria-label="Steps">
${steps.slice(0, maxSteps).map((step) => html`<li>${timestamp(step.at)} ${stepHtml(account, step)}</li>\n`)}</ol>`
}${hiddenCount > 0 ? html`<p>… and ${hiddenCount} more.</p>` : ''}${
  in_progress.length > 0 ? html`<p>Still being sent: ${in_progress.join(', ')}.</p>` : ''
}`;
}

/** A step: a link to its record, and the outcome. */
function stepHtml(account: string, step: Step): SafeHtml {
  const [about, outcome] = formatStep(step);
  switch (step.kind) {
    case 'transition':
      return html`${recordLink(account, step.subject)} ${outcome}`;
    case 'event':
      return html`<a href="${sectionPath(account, 'webhooks', step.id)}">${step.event}</a> ${outcome}`;
    case 'attempt':
      return html`<a href="${sectionPath(account, 'webhooks', step.delivery_id)}">${step.event}</a> → ${formatAttempt(step)}`;
    case 'mail':
      return html`<a href="${sectionPath(account, 'mails', step.id)}">${about}</a>: ${outcome}`;
    case 'scenario':
      return html`<a href="${sectionPath(account, 'scenarios')}">${about}</a>: ${outcome}`;
  }
}
