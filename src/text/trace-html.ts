import { hash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../generated/control-validated-types.js';
import { conjunction, truncate } from '../lib/messages.js';
import { activityText } from './activity-text.js';
import { formatCount, formatTime } from './format.js';
import { isProblematicAttempt } from './step-text.js';
import { traceStyle } from './trace-style.js';

type Trace = components['schemas']['Trace'];
type Chain = components['schemas']['ActivityChain'];
type Entry = Chain['entries'][number];
type Message = components['schemas']['RecordedMessage'];
type HeaderList = Message['headers'];

/** Maximum size of a page. */
const maxPageBytes = 500_000;

/**
 * Maximum size of all chains of a page without their bodies; the bodies get the rest of the page. A chain is a request, an
 * action or a due item, with everything that followed from it.
 */
const maxChainsBytes = 300_000;
/** Approximate maximum size of one chain without bodies. */
const maxChainBytes = 60_000;

/** Estimated size of the label of a body. */
const bodyLabelBytes = 200;

/** Maximum length of a body, in characters. The rest is cut off. */
const maxBodyLength = 20_000;

/** Maximum length of any other value, in characters. The rest is cut off. */
const maxValueLength = 500;

/** Maximum number of invalid fields of a request. */
const maxShownFields = 20;

/** Notice about the limits of the data in a trace. */
const limitsNotice =
  'The simulator keeps the last 1,000 requests and 5,000 other entries of an account since it started, and the first 64,000 bytes of each body. A changed record is shown before and after the change if an event or a response contained it; of other changes, only the status is recorded. Tokens and webhook secrets are masked.';

/** Returns the contents of a file with a trace: JSON if the path ends with `.json`, otherwise an HTML page. */
export function formatTrace(path: string, trace: Trace): string {
  return /\.json$/i.test(path) ? `${JSON.stringify(trace, null, 2)}\n` : traceHtml(trace);
}

/**
 * Renders a trace as an HTML page of up to 500 kB, without scripts or external resources. It shows as many of the
 * newest chains as fit, then as many of the newest bodies as fit in the rest. The last entries of a long chain are left
 * out. The header says how many chains and bodies were left out, and each chain how many of its entries.
 */
export function traceHtml(trace: Trace): string {
  const contents = contentsOf(trace);
  const withoutBodies = trace.chains.map((chain) => renderChain(contents, chain, () => false));
  // Chains are in order of time, so the newest are at the end.
  let size = 0;
  let omittedChains = withoutBodies.length;
  while (omittedChains > 0) {
    size += byteLength(withoutBodies[omittedChains - 1]?.content);
    if (size > maxChainsBytes) break;
    omittedChains -= 1;
  }
  const shownChains = trace.chains.slice(omittedChains);
  const bodySizesOfShownChains = withoutBodies.slice(omittedChains).flatMap((chain) => chain.bodySizes);
  const omittedEntries = withoutBodies.slice(omittedChains).reduce((sum, chain) => sum + chain.omittedEntries, 0);
  const allBodies = withoutBodies.reduce((sum, { bodySizes }) => sum + bodySizes.length, 0);
  // The size of the page without chains. The number of all bodies has at least as many digits as that of omitted ones.
  const frameSize = byteLength(page(trace, [], { bodies: allBodies, chains: omittedChains, entries: omittedEntries }));
  const chainsSize = withoutBodies.slice(omittedChains).reduce((sum, { content }) => sum + byteLength(content), 0);
  // Fills the rest of the page with the bodies of the shown chains, the newest first.
  let remainingBytes = maxPageBytes - frameSize - chainsSize;
  let omittedBodies = bodySizesOfShownChains.length;
  while (omittedBodies > 0) {
    remainingBytes -= bodySizesOfShownChains[omittedBodies - 1] ?? 0;
    if (remainingBytes < 0) break;
    omittedBodies -= 1;
  }
  const bodiesOfOmittedChains = allBodies - bodySizesOfShownChains.length;
  let bodyNumber = 0;
  const shouldRenderNextBody = (): boolean => {
    bodyNumber += 1;
    return bodyNumber > omittedBodies;
  };
  const chains = shownChains.map((chain) => renderChain(contents, chain, shouldRenderNextBody).content);
  const omitted = { bodies: omittedBodies + bodiesOfOmittedChains, chains: omittedChains, entries: omittedEntries };
  return String(page(trace, chains, omitted));
}

/** The requests, deliveries, emails and states that the entries of a trace refer to. */
interface Contents {
  /** By id. */
  readonly requests: ReadonlyMap<string, Trace['requests'][number]>;
  /** By id, which is also the id of the event. */
  readonly deliveries: ReadonlyMap<string, Trace['deliveries'][number]>;
  /** By id. */
  readonly mails: ReadonlyMap<number, Trace['mails'][number]>;
  /** By sequence number of the entry. */
  readonly states: ReadonlyMap<number, Trace['states'][number]>;
  /** Entries up to this sequence number refer to deliveries and emails that no longer exist. */
  readonly outdatedUpTo: number;
}

function contentsOf({ requests, deliveries, mails, states, outdated_up_to: outdatedUpTo }: Trace): Contents {
  return {
    requests: new Map(requests.map((request) => [request.id, request])),
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
    mails: new Map(mails.map((mail) => [mail.id, mail])),
    states: new Map(states.map((state) => [state.sequence, state])),
    outdatedUpTo,
  };
}

function page(
  { account, now, mode, written_by, chains: allChains, requests, deliveries, mails }: Trace,
  chains: readonly SafeHtml[],
  omitted: Omitted,
): SafeHtml {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', traceStyle, 'base64')}'; base-uri 'none'; form-action 'none'`;
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Trace of account ${account}</title>
<style>${html.raw`${traceStyle}`}</style>
</head>
<body>
<header>
<h1>Trace of account ${account}</h1>
<dl>
<dt>Clock</dt><dd>${formatTime(now)} UTC, ${mode === 'frozen' ? 'frozen' : 'running'}</dd>
<dt>Activity</dt><dd>${formatCount(allChains.length, 'cause')}, ${formatCount(requests.length, 'request')}, ${formatCount(deliveries.length, 'event')}, ${formatCount(attempts, 'attempt')}, ${formatCount(mails.length, 'email')}</dd>
<dt>Written by</dt><dd>billing-sim ${written_by}</dd>
<dt>Left out</dt><dd>${omittedText(omitted)}</dd>
</dl>
<p class="soft">${limitsNotice}</p>
</header>
<main>
${chains.length === 0 ? html`<p>Nothing has happened yet.</p>` : ''}
${[...chains]}
</main>
</body>
</html>
`;
}

function omittedText({ bodies, chains, entries }: Omitted): string {
  const parts = [
    ...(chains === 0 ? [] : [`the oldest ${formatCount(chains, 'cause')}`]),
    ...(bodies === 0 ? [] : [`the oldest ${formatCount(bodies, 'body')} with their headers`]),
    ...(entries === 0 ? [] : [`the last ${formatCount(entries, 'consequence')} of causes that have very many`]),
  ];
  if (parts.length === 0) return 'nothing';
  return `${conjunction(parts)}, so that this file stays below 500 kB; they are in the JSON trace`;
}

/** Numbers of what a page leaves out. */
interface Omitted {
  readonly bodies: number;
  readonly chains: number;
  /** Entries of shown chains. */
  readonly entries: number;
}

interface RenderedChain {
  readonly omittedEntries: number;
  readonly content: SafeHtml;
  /** Sizes in bytes of the bodies of all shown entries, in order, including bodies that are left out. */
  readonly bodySizes: readonly number[];
}

/** Renders a chain. @param shouldRenderNextBody called once for each body, in order; false leaves the body out */
function renderChain(contents: Contents, chain: Chain, shouldRenderNextBody: () => boolean): RenderedChain {
  const bodySizes: number[] = [];
  const renderBody = (label: string, content: SafeHtml): SafeHtml => {
    const withBody = html`<details><summary>${label}</summary>${content}</details>\n`;
    bodySizes.push(byteLength(withBody));
    return shouldRenderNextBody() ? withBody : html`<p class="soft">${label}: left out</p>\n`;
  };
  const items: SafeHtml[] = [];
  let size = 0;
  for (const entry of chain.entries) {
    if (size > maxChainBytes) break;
    const details = detailsOf(contents, entry, renderBody);
    const item = html`<li><time datetime="${entry.at}">${formatTime(entry.at)}</time> ${headline(entry)}
${details}</li>
`;
    // Only the labels of bodies count, so that the same entries are shown with and without bodies.
    size += byteLength(headline(entry)) + bodyLabelBytes * details.length;
    items.push(item);
  }
  const omittedEntries = chain.entries.length - items.length;
  const [cause] = chain.entries;
  const content = html`<section>
<h2>${cause ? headlineText(cause) : chain.correlation_id}</h2>
<p class="soft">${chain.correlation_id}${chain.is_complete ? '' : '; older entries have been dropped'}</p>
<ol>
${items}</ol>
${omittedEntries > 0 ? html`<p class="soft">${formatCount(omittedEntries, 'more entry')} in the JSON trace.</p>` : ''}
</section>
`;
  return { content, omittedEntries, bodySizes };
}

function headline(entry: Entry): SafeHtml {
  const isError =
    entry.kind === 'request'
      ? entry.request.status === null || entry.request.status >= 400
      : entry.kind === 'attempt' && isProblematicAttempt(entry);
  return html`<span${isError ? html` class="bad"` : ''}>${headlineText(entry)}</span>`;
}

function headlineText(entry: Entry): string {
  return clip(activityText(entry));
}

/** Renders a collapsible body of an entry: a message, an email or a record. If left out, only its label is shown. */
type RenderBody = (label: string, content: SafeHtml) => SafeHtml;

function detailsOf(
  { requests, deliveries, mails, states, outdatedUpTo }: Contents,
  entry: Entry,
  renderBody: RenderBody,
): SafeHtml[] {
  // Events and emails from before a reset or restore may have the ids of newer ones.
  const isOutdated = entry.sequence <= outdatedUpTo;
  switch (entry.kind) {
    case 'request': {
      const request = requests.get(entry.request.id);
      if (!request) return [];
      const { sent, received, error_details: details } = request;
      return [
        ...(details ? [renderErrorDetails(details)] : []),
        renderBody('Request', renderMessage(sent)),
        ...(received ? [renderBody('Response', renderMessage(received))] : []),
      ];
    }
    case 'event': {
      const delivery = isOutdated ? undefined : deliveries.get(entry.id);
      return delivery ? [renderBody('Event', pre(delivery.body))] : [];
    }
    case 'attempt': {
      const delivery = isOutdated ? undefined : deliveries.get(entry.delivery_id);
      const attempt = delivery?.attempts.find(({ number }) => number === entry.number);
      return attempt ? [renderBody('Attempt', renderAttempt(attempt))] : [];
    }
    case 'mail': {
      const mail = isOutdated ? undefined : mails.get(entry.id);
      return mail ? [renderBody('Email', pre(mail.text))] : [];
    }
    default: {
      const state = states.get(entry.sequence);
      return state ? [renderBody('Record before and after', renderStates(state))] : [];
    }
  }
}

function renderAttempt({
  url,
  headers,
  body,
  status,
  response_body: responseBody,
}: Trace['deliveries'][number]['attempts'][number]): SafeHtml {
  const headerList = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const response =
    responseBody === '' ? noBody(status === null ? 'No response.' : 'An empty body.') : pre(responseBody);
  return html`<p>POST ${clip(url)}</p>${renderHeaders(headerList)}${body === undefined ? '' : pre(body)}<p>Response of the receiver:</p>${response}`;
}

function renderStates({ before, after }: Trace['states'][number]): SafeHtml {
  return html`<p>Before:</p>${renderState(before)}<p>After:</p>${renderState(after)}`;
}

function renderState(value: unknown): SafeHtml {
  return value === null ? html`<p class="soft">not recorded</p>` : pre(JSON.stringify(value, null, 2));
}

function renderErrorDetails({ code, message, hint, fields }: components['schemas']['ErrorDetails']): SafeHtml {
  const lines = fields.slice(0, maxShownFields).map(({ field, messages }) => clip(`${field}: ${messages.join(' ')}`));
  const moreCount = fields.length - lines.length;
  if (moreCount > 0) lines.push(`${formatCount(moreCount, 'more field')} in the JSON trace.`);
  return html`<p class="bad">${clip(`${code}: ${message}${hint === null ? '' : `; ${hint}`}`)}${lines.map((line) => html`<br>${line}`)}</p>`;
}

function renderMessage({ headers, body }: Message): SafeHtml {
  return html`${renderHeaders(headers)}${renderMessageBody(body)}`;
}

function renderMessageBody(body: Message['body']): SafeHtml {
  if (body === null) return noBody('No body.');
  if (body.text === null) return noBody(`The body (${body.size} bytes) has been dropped.`);
  if (body.text === '') return noBody('An empty body.');
  return html`${pre(body.text)}${body.is_truncated ? html`<p class="soft">Cut off; the whole body has ${body.size} bytes.</p>` : ''}`;
}

/** Renders a notice in place of a body that has no text to show. */
function noBody(reason: string): SafeHtml {
  return html`<p class="soft">${reason}</p>`;
}

function renderHeaders(headers: HeaderList): SafeHtml {
  return html`<dl>${headers.map(({ name, value }) => html`<dt>${clip(name)}</dt><dd>${clip(value)}</dd>\n`)}</dl>`;
}

/** Renders text in a `pre` element. */
function pre(text: string): SafeHtml {
  const isLong = text.length > maxBodyLength;
  return html`<pre>${truncate(text, maxBodyLength)}</pre>${isLong ? html`<p class="soft">Cut off; the whole text has ${text.length} characters.</p>` : ''}`;
}

/** Shortens text that is too long. */
function clip(text: string): string {
  return truncate(text, maxValueLength);
}

function byteLength(content: SafeHtml | undefined): number {
  return content === undefined ? 0 : Buffer.byteLength(String(content));
}
