import { traceHtml } from '../../../text/trace-html.js';
import { traceOf } from '../../control/trace.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';

/** The trace of the account as a file. */
const downloadTrace: PageHandler = ({ account }) =>
  download(traceHtml(traceOf(account)), `trace-${account.id}.html`, 'text/html; charset=utf-8');

export const traceDownloads: readonly PageRoute[] = [['/trace.html', downloadTrace]];
