import { html, type SafeHtml } from '@remix-run/html-template';

/**
 * The configuration of htmx. Eval and inline styles are off, because the content security policy forbids them. Requests
 * to other hosts are off, too, and so is the cache of visited pages, which may show a token. Without a settle delay, new
 * forms work immediately: by default, a form that is submitted within 20 ms of being loaded is sent without htmx. The
 * script of the dashboard scrolls new pages itself.
 */
const htmxConfig = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  defaultSettleDelay: 0,
  scrollIntoViewOnBoost: false,
});

interface DocumentOptions {
  /** True to load the scripts of the dashboard. */
  readonly hasScripts?: boolean;
  /** The language tag of the document. */
  readonly lang?: string;
}

/** An HTML document whose scripts and styles all come from the simulator. @param body the `<body>` element */
export function documentOf(
  title: string,
  body: SafeHtml,
  { hasScripts = false, lang = 'en' }: DocumentOptions = {},
): string {
  const scripts = html`<meta name="htmx-config" content="${htmxConfig}">
<script src="/assets/htmx.min.js" defer></script>
<script src="/assets/sse.js" defer></script>
<script src="/assets/dashboard.js" defer></script>
<script src="/assets/controls.js" defer></script>`;
  return String(html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
${hasScripts ? scripts : ''}
</head>
${body}
</html>
`);
}

/** The language and the footer of a page. */
export interface PageTexts {
  readonly lang: string;
  readonly footer: string;
}

const english: PageTexts = { lang: 'en', footer: 'A page of billing-sim, a simulator. No money is moved.' };

/** A page without scripts or navigation, with its content in the middle: for guests, errors and signing in. */
export function centeredPage(title: string, content: SafeHtml, { lang, footer }: PageTexts = english): string {
  return documentOf(
    title,
    html`<body class="guest">
<main>
<h1>${title}</h1>
${content}
</main>
<footer><p>${footer}</p></footer>
</body>`,
    { lang },
  );
}
