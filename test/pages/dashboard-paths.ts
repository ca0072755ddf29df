import { dashboardPages } from '../../src/http/dashboard/routes.js';

/**
 * Returns the paths of all dashboard pages, without the prefix `/dashboard/{account}`. The page of a single record
 * appears once per section, with the id from `recordIds`.
 * @param recordIds ids by section of the dashboard: `{ deposits: 8 }`
 */
export function dashboardPaths(recordIds: Readonly<Record<string, number | string | undefined>>): string[] {
  const paths = dashboardPages.flatMap(([path, _handler, method]) => (method === 'post' ? [] : [path]));
  // Exports and other files are downloads, not pages.
  const pagePaths = paths.filter((path) => !/\.\w+$|\/export$/.test(path));
  return pagePaths.map((path) =>
    path.replace(/([\w-]+)\/:idOrName/, (_, section: string) => {
      const id = recordIds[section];
      if (id === undefined) throw new Error(`recordIds has no id for the section ${section}`);
      return `${section}/${encodeURIComponent(id)}`;
    }),
  );
}
