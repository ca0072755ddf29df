import { html } from '@remix-run/html-template';
import { dashboardPage } from '../../pages/dashboard.js';
import { type Page, placeOf, type Show } from './show.js';

export { type Asked, placeOf, type Show } from './show.js';

const overview: Show = (asked) => dashboardPage(placeOf(asked, ''), 'Overview', html`<p>…</p>`);

/** The pages of the dashboard, by what their addresses have behind the account. */
export const dashboardPages: readonly Page[] = [['', overview]];
