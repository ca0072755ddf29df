import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import { fieldConverter, firstValueRepeater, onData } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { paidDescriptionEnd } from '../payment-links/setups.js';
import { concurrentDescriptionEnd } from './setups.js';

/** Changes the new link in the response to the request that creates it. */
const onCreation = (change: (link: JsonObject) => void): Interceptor => onData('POST', '/payment-links', change);
const changeUrl = (change: (url: string) => string): Interceptor =>
  onCreation(fieldConverter('url', (url) => change(String(url))));

const changeSlug = (change: (slug: string) => string): Interceptor => changeUrl((url) => url.replace(/[^/]+$/, change));

/** Gives all new links whose description ends with `descriptionEnd` the URL of the first one. */
const repeatFirstUrl = (descriptionEnd: string) => (): Interceptor => {
  const repeatUrl = firstValueRepeater('url');
  return onCreation((link) => {
    if (String(link['description']).endsWith(descriptionEnd)) repeatUrl(link);
  });
};

/** Adds a suffix to the slug of a link if the slug of an earlier link begins with it. */
function addSuffixIfPrefixOfEarlierSlug(): Interceptor {
  const urls: string[] = [];
  return onCreation((link) => {
    const url = String(link['url']);
    if (urls.some((earlier) => earlier.startsWith(url))) Object.assign(link, { url: `${url}-2` });
    urls.push(url);
  });
}

/** Changes the slug of one link: the one that has a description of at least 100 digits. */
const changeDigitSlug = (change: (digits: string) => string): Interceptor =>
  changeUrl((url) => url.replace(/\d{100,}/, change));

/** Mutants for the clauses about the slugs of payment links (LINK-SLUG). */
export const linkSlugMutants: readonly MutantRow[] = [
  ['LINK-SLUG-01', 'The slug of a link is in upper case.', changeSlug((slug) => slug.toUpperCase())],
  [
    'LINK-SLUG-02',
    'The slug of the second link with the same description ends with `-1`.',
    changeUrl((url) => url.replace(/-2$/, '-1')),
  ],
  [
    'LINK-SLUG-03',
    'The third link with the same description gets the slug of the second.',
    changeUrl((url) => url.replace(/-3$/, '-2')),
  ],
  [
    'LINK-SLUG-04',
    'The slug of the third link with the same description ends with `-22` instead of `-3`.',
    changeUrl((url) => url.replace(/-3$/, '-22')),
  ],
  [
    'LINK-SLUG-05',
    'A link with the description `X-2` gets the slug `x-2`, which the second link with the description `X` already has.',
    changeUrl((url) => url.replace(/-2-2$/, '-2')),
  ],
  [
    'LINK-SLUG-11',
    'Two links that are created concurrently have the same URL.',
    repeatFirstUrl(concurrentDescriptionEnd),
  ],
  [
    'LINK-SLUG-12',
    'A link gets the slug `x-2` although an earlier link has the description `X-2`.',
    // `setups.ts` creates a link whose description ends in -2 before the concurrent links, so the second of those must
    // get `x-3`.
    changeUrl((url) => url.replace(new RegExp(`(${concurrentDescriptionEnd})-3$`, 'i'), '$1-2')),
  ],
  [
    'LINK-SLUG-13',
    'Only ASCII letters are lower-cased in slugs.',
    onCreation((link) => {
      // The simulator's slug has `e` in place of `É`, so the upper-case letter is appended.
      const [letter] = /[À-ÖØ-Þ]/u.exec(String(link['description'])) ?? [];
      if (letter !== undefined) Object.assign(link, { url: `${link['url']}${letter}` });
    }),
  ],
  [
    'LINK-SLUG-14',
    'A slug gets a suffix only if a link has the same description, not if one has the same slug.',
    () => {
      const descriptionsByUrl = new Map<string, unknown>();
      return onCreation((link) => {
        const { description } = link;
        const urlWithoutSuffix = String(link['url']).replace(/-\d+$/, '');
        const earlier = descriptionsByUrl.get(urlWithoutSuffix);
        if (earlier !== undefined && String(earlier).toLowerCase() !== String(description).toLowerCase())
          Object.assign(link, { url: urlWithoutSuffix });
        else descriptionsByUrl.set(urlWithoutSuffix, description);
      });
    },
  ],
  [
    'LINK-SLUG-06',
    'A link gets the URL of the paid link with the same description.',
    repeatFirstUrl(paidDescriptionEnd),
  ],
  ['LINK-SLUG-07', 'A slug counts as taken if an earlier slug merely begins with it.', addSuffixIfPrefixOfEarlierSlug],
  [
    'LINK-SLUG-08',
    'The slug of every description without Latin letters or digits is empty.',
    onCreation((link) => {
      if (!/[a-z\d]/i.test(String(link['description'])))
        Object.assign(link, { url: new URL('/', String(link['url'])).href });
    }),
  ],
  ['LINK-SLUG-09', 'A slug that consists of digits gets a prefix.', changeDigitSlug((digits) => `link-${digits}`)],
  ['LINK-SLUG-10', 'Slugs are truncated to 60 characters.', changeDigitSlug((digits) => digits.slice(0, 60))],
];
