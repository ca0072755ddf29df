import { html, type SafeHtml } from '@remix-run/html-template';
import { exportSnapshot } from '../../../simulation/seeding/snapshots.js';
import type { Snapshot } from '../../../simulation/state/changes.js';
import { dangerButton } from '../components/danger-button.js';
import { actionButton, type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { table } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import { timestamp } from '../components/timestamp.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';

/** The snapshots of the account, and forms to save one, to import one, and to reset the account. */
const showSnapshots: PageHandler = ({ account, location }) =>
  dashboardPage(
    location,
    'Snapshots',
    html`<div class="beside">
<section class="sheet">
<h2>Save</h2>
<p>Saves the records, clock, agenda, deliveries, emails, faults, scenarios and profile of the account. A restore leaves its tokens, webhook URL and secret, rate limit and saved snapshots as they are.</p>
${form(
  location,
  'saveSnapshot',
  ({ text }) => html`${text({
    name: 'name',
    label: 'Name',
    attributes: html`required pattern="[a-z0-9][a-z0-9_\\-]{0,62}" placeholder="before-expiry"`,
    hint: 'Up to 63 lowercase letters, digits, hyphens and underscores, the first a letter or digit. A snapshot of the same name is replaced.',
  })}
<button>Save snapshot</button>`,
)}
</section>
<section class="sheet">
<h2>Reset</h2>
<p>Returns the records and the clock of the account to their initial state, and removes faults and added scenarios. Tokens, settings (with the profile) and snapshots are kept.</p>
<p class="hint">Before a reset or a restore the account is saved as <code>before-reset-…</code> or <code>before-restore-…</code>, so that you can undo it. The latest 5 of these snapshots are kept.</p>
${actionButton(location, 'resetAccount', 'Reset account')}
</section>
<section class="sheet">
<h2>Import</h2>
<p>Adds a snapshot from a file that another simulator exported. Restore the snapshot to return this account to the state in the file.</p>
${form(
  location,
  'importSnapshot',
  ({ text }) => html`${text({
    // The `:json` suffix makes the form parser parse the content of the file, for the operation's `file` field.
    name: 'file:json',
    label: 'File',
    attributes: html`type="file" accept=".json,application/json" required`,
  })}
${text({
  name: 'name',
  label: 'Name',
  attributes: html`pattern="[a-z0-9][a-z0-9_\\-]{0,62}"`,
  hint: 'Leave empty to use the name in the file.',
})}
<button>Import snapshot</button>`,
  { hasFile: true },
)}
</section>
</div>
<section class="sheet">
${snapshotsTable(location, [...account.snapshots.values()])}
</section>`,
  );

/** The download of a snapshot as a file. */
const downloadSnapshot: PageHandler = async ({ account, idOrName }) => {
  const file = await exportSnapshot(account, idOrName);
  return download(JSON.stringify(file), `${file.name}.snapshot.json`, 'application/json; charset=utf-8');
};

function snapshotsTable(location: DashboardLocation, snapshots: readonly Snapshot[]): SafeHtml {
  if (snapshots.length === 0) {
    return html`<p class="empty">No snapshots yet. Save one before you try something that you may want to undo.</p>`;
  }
  return table<Snapshot>(
    [
      { label: 'Name', show: ({ name }) => name },
      { label: 'Saved (UTC)', show: ({ created_at }) => timestamp(created_at) },
      {
        label: 'Actions',
        show: ({ name }) =>
          html`${actionButton(location, 'restoreSnapshot', 'Restore', { id: name })} <a href="${sectionPath(location.account, 'snapshots', name)}/export" download hx-boost="false">Export</a> ${dangerButton(location, 'removeSnapshot', 'Remove', { id: name })}`,
      },
    ],
    snapshots,
    'Snapshots of the account',
  );
}

export const snapshotPages: readonly PageRoute[] = [
  ['/snapshots', showSnapshots],
  ['/snapshots/:idOrName/export', downloadSnapshot],
];
