import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headingIds, localTargets } from './markdown.js';
import { pageNames, readPage, root } from './page.js';

interface Link {
  readonly page: string;
  readonly target: string;
}

const links: Link[] = pageNames.flatMap((page) => localTargets(readPage(page)).map((target) => ({ page, target })));

/** Path of the file that a link leads to, relative to the repository. */
function fileOf({ page, target }: Link): string {
  const [path = ''] = target.split('#');
  return path === '' ? page : normalize(join(dirname(page), path));
}

describe.each(pageNames)('the links of %s', (page) => {
  const linksOfPage = links.filter((link) => link.page === page);

  test('lead to files that exist', () => {
    expect(linksOfPage.filter((link) => !existsSync(join(root, fileOf(link)))).map(({ target }) => target)).toEqual([]);
  });

  test('lead to headings that exist', () => {
    const broken = linksOfPage.filter((link) => {
      const [, heading] = link.target.split('#');
      return heading !== undefined && !headingIds(readPage(fileOf(link))).includes(heading);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });
});

test('every page can be reached from README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const link of links) if (link.page === page) reached.add(fileOf(link));
  }
  expect(pageNames.filter((page) => !reached.has(page))).toEqual([]);
});
