/**
 * The sections of the dashboard by group: the last part of their URL, their label, and the key that opens them when it is
 * pressed after `g`. The first group has no heading.
 */
export const sectionGroups = [
  {
    label: '',
    sections: [
      ['', 'Activity', 'h'],
      ['overview', 'Overview', 'o'],
    ],
  },
  {
    label: 'Billing',
    sections: [
      ['invoices', 'Invoices', 'i'],
      ['payment-links', 'Payment links', 'l'],
      ['payments', 'Payments', 'p'],
      ['deposits', 'Deposits', 'd'],
      ['customers', 'Customers', 'c'],
    ],
  },
  {
    label: 'Traffic',
    sections: [
      ['requests', 'Requests', 'r'],
      ['webhooks', 'Webhooks', 'w'],
      ['mails', 'Emails', 'e'],
    ],
  },
  {
    label: 'Simulate',
    sections: [
      ['clock', 'Clock', 'k'],
      ['faults', 'Faults', 'f'],
      ['scenarios', 'Scenarios', 's'],
      ['snapshots', 'Snapshots', 'n'],
    ],
  },
  {
    label: 'Verify',
    sections: [
      ['coverage', 'Coverage', 'v'],
      ['contract', 'Contract', 'x'],
    ],
  },
  {
    label: 'Settings',
    sections: [
      ['tokens', 'Tokens', 't'],
      ['profile', 'Profile', 'g'],
      ['accounts', 'Accounts', 'a'],
    ],
  },
] as const;

/** An entry of the list of sections. */
export type SectionEntry = (typeof sectionGroups)[number]['sections'][number];
/** The name of a section, which is the last part of its URL; empty for Activity, the home page of the account. */
export type Section = SectionEntry[0];

/** Finds a section by the last part of its URL. */
export function findSection(name: string): { readonly name: Section; readonly label: string } | undefined {
  for (const { sections } of sectionGroups) {
    for (const [section, label] of sections) if (section === name) return { name: section, label };
  }
  return undefined;
}

/** The URL path of a section, or of a record in it. */
export function sectionPath(account: string, section: Section, record?: number | string): string {
  return dashboardPath(account, ...(section === '' ? [] : [section]), ...(record === undefined ? [] : [record]));
}

/** The URL path of the page of a scenario run. */
export function runPath(account: string, id: number | string): string {
  return dashboardPath(account, 'scenarios', 'runs', id);
}

/**
 * The URL path that a form is sent to in order to call an operation. The form has a field for each field of the
 * operation's body.
 */
export function actionPath(account: string, operation: string, id?: number | string): string {
  return dashboardPath(account, 'do', operation, ...(id === undefined ? [] : [id]));
}

/** The URL path of the page that asks for confirmation of an operation. */
export function confirmationPath(account: string, operation: string, id?: number | string): string {
  return dashboardPath(account, 'confirm', operation, ...(id === undefined ? [] : [id]));
}

function dashboardPath(...parts: readonly (string | number)[]): string {
  return `/dashboard/${parts.map(encodeURIComponent).join('/')}`;
}
