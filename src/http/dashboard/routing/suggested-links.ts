import { decodePathPart } from '../../../lib/path-template.js';
import type { World } from '../../../simulation/world.js';
import type { SuggestedLink } from '../components/error-page.js';
import { findSection, type Section, sectionPath } from '../components/sections.js';

/** For each kind of guest page (the first part of its path), the dashboard section that lists its records. */
const sectionByGuestPath: ReadonlyMap<string, Section> = new Map([
  ['pay', 'payment-links'],
  ['authorize', 'deposits'],
]);

/** Suggests existing pages for a URL that leads to no page. */
export function suggestedLinks(world: World, path: string): SuggestedLink[] {
  const [area = '', ...names] = path.split('/').slice(1).map(decodePathPart);
  if (area === 'dashboard') {
    const [id = '', section = ''] = names;
    if (world.accounts.get(id)) return linksTo(id, findSection(section));
    // An address such as `/dashboard/deposits` lacks the account.
    const intendedSection = findSection(id);
    return intendedSection ? linksTo(world.accounts.default().id, intendedSection) : [dashboard];
  }
  const listSection = sectionByGuestPath.get(area);
  if (listSection === undefined) return [dashboard, { href: '/docs', label: 'API documents' }];
  if (names.length === 0) return [dashboard];
  // URLs of guest pages of the default account do not contain its id.
  const account = names.length === 1 ? world.accounts.default() : world.accounts.get(names[0] ?? '');
  return account ? linksTo(account.id, findSection(listSection)) : [dashboard];
}

const dashboard: SuggestedLink = { href: '/dashboard', label: 'Dashboard' };

function linksTo(account: string, section: ReturnType<typeof findSection>): SuggestedLink[] {
  // The section with an empty name is the activity, the first page.
  const home = { href: sectionPath(account, ''), label: `Activity of ${account}` };
  if (section === undefined || section.name === '') return [home];
  return [{ href: sectionPath(account, section.name), label: `${section.label} of ${account}` }, home];
}
