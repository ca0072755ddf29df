import { dashboardPages } from '../../src/http/dashboard/dashboard.js';

/**
 * Paths of all dashboard pages, without the prefix `/dashboard/{account}`. Each page for a record has the path of one record.
 * @param recordIds the id of that record, by section of the dashboard
 */
export function dashboardAddresses(recordIds: Readonly<Record<string, number | string | undefined>>): string[] {
  // Files to download are not pages.
  const paths = dashboardPages.filter(([path]) => !path.endsWith('/export'));
  return paths.map(([path]) =>
    path.replace(/([\w-]+)\/:name/, (_, section: string) => {
      const id = recordIds[section];
      if (id === undefined) throw new Error(`recordIds has no id for the section ${section}`);
      return `${section}/${encodeURIComponent(id)}`;
    }),
  );
}
