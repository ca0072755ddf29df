import type { World } from '../../../simulation/world.js';
import type { SuggestedLink } from '../components/error-page.js';
import { addressOf, type Section, sectionNamed } from '../components/sections.js';

/** The section of the dashboard that lists the record of a guest page. */
const listedIn: Readonly<Record<string, Section>> = { pay: 'payment-links', authorize: 'deposits' };

/** Suggests existing pages for a URL that has nothing to show. */
export function suggestedLinks(world: World, path: string): SuggestedLink[] {
  const [area = '', ...names] = path.split('/').slice(1).map(decoded);
  if (area === 'dashboard') {
    const [id = '', section = ''] = names;
    return world.accounts.get(id) ? linksTo(id, sectionNamed(section)) : [dashboard];
  }
  const list = listedIn[area];
  if (list === undefined) return [dashboard, { href: '/docs', label: 'API documents' }];
  // URLs of the default account do not have its id.
  const id = names.length > 1 ? names[0] : names.length === 1 ? world.defaultAccount().id : undefined;
  return id !== undefined && world.accounts.get(id) ? linksTo(id, sectionNamed(list)) : [dashboard];
}

const dashboard: SuggestedLink = { href: '/dashboard', label: 'Dashboard' };

function linksTo(account: string, section: ReturnType<typeof sectionNamed>): SuggestedLink[] {
  const home = { href: addressOf(account, ''), label: `Activity of ${account}` };
  if (section === undefined || section.name === '') return [home];
  return [{ href: addressOf(account, section.name), label: `${section.label} of ${account}` }, home];
}

/** Decodes a part of a path; unchanged if the encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
