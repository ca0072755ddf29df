import { dashboardPages } from '../../src/http/dashboard/dashboard.js';

/**
 * The address of every page of the dashboard, behind the account. Of the pages of records it is that of one of them.
 * @param names of these records, by section
 */
export function dashboardAddresses(names: Readonly<Record<string, number | string | undefined>>): string[] {
  // Files to download are not pages.
  const paths = dashboardPages.filter(([path]) => !path.endsWith('/export'));
  return paths.map(([path]) =>
    path.replace(/([\w-]+)\/:name/, (_, section: string) => {
      const name = names[section];
      if (name === undefined) throw new Error(`of which record is the page in ${section} to be opened?`);
      return `${section}/${encodeURIComponent(name)}`;
    }),
  );
}
