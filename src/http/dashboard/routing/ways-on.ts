import type { World } from '../../../simulation/world.js';
import { addressOf, type Section, sectionNamed } from '../components/dashboard.js';
import type { WayOn } from '../components/refused.js';

/** Where what a guest page shows is listed in the dashboard. */
const listedIn: Readonly<Record<string, Section>> = { pay: 'payment-links', authorize: 'deposits' };

/** Finds where somebody can go on from an address that has nothing to show: the nearest page that exists. */
export function waysOn(world: World, path: string): WayOn[] {
  const [area = '', ...names] = path.split('/').slice(1).map(decoded);
  if (area === 'dashboard') {
    const [id = '', section = ''] = names;
    return world.accounts.get(id) ? waysInto(id, sectionNamed(section)) : [dashboard];
  }
  const list = listedIn[area];
  if (list === undefined) return [dashboard, { href: '/docs', label: 'API documents' }];
  // The address of the default account does not name it.
  const id = names.length > 1 ? names[0] : names.length === 1 ? world.fallback().id : undefined;
  return id !== undefined && world.accounts.get(id) ? waysInto(id, sectionNamed(list)) : [dashboard];
}

const dashboard: WayOn = { href: '/dashboard', label: 'Dashboard' };

function waysInto(account: string, section: ReturnType<typeof sectionNamed>): WayOn[] {
  const overview = { href: addressOf(account, ''), label: `Overview of ${account}` };
  if (section === undefined || section.name === '') return [overview];
  return [{ href: addressOf(account, section.name), label: `${section.label} of ${account}` }, overview];
}

/** A part of a path; as it is written where it is not valid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
