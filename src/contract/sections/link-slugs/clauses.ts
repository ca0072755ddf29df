import { Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { CreatedRecord } from '../created-records.js';
import {
  asciiDescription,
  chineseLink,
  cyrillicLink,
  freeTextLink,
  largeLink,
  letterCaseLink,
  newLink,
  numberedDescriptionLink,
  paidLink,
  sameDescriptionLink,
  secondShorterLink,
  shorterDescription,
  shorterLink,
  unusualLink,
  urlOfCreated,
} from '../payment-links/setups.js';
import { repeatedDescriptionLink } from '../payments/setups.js';
import { concurrentLinks, dashedLink, numberedLink } from './setups.js';

const common = {
  level: 'documented',
  operation: 'createPaymentLink',
  spec: 'POST /payment-links',
  quote: '2. When a link with the same slug exists, a numeric suffix is appended to the slug, starting with `-2`.',
} as const;

const derivationRule = '1. The URL slug is derived from `description` by lower-casing it.';

/** Splits a link's URL at its delimiters; one of the parts is the slug. */
function urlPartsOf(link: CreatedRecord): string[] {
  const url = urlOfCreated(link);
  try {
    return decodeURI(url).split(/[/?&=#]/);
  } catch {
    // The URL contains a `%` that does not begin an escape sequence.
    return url.split(/[/?&=#]/);
  }
}

function expectSlug(link: CreatedRecord, slug: string): void {
  if (!urlPartsOf(link).includes(slug)) {
    throw new Violation(`\`data.url\` with the slug ${slug}`, link.record['url'], link.exchange);
  }
}

/** The slugs in the URLs of payment links: rules 1 and 2 of `POST /payment-links`. */
export const linkSlugClauses: readonly Clause[] = [
  {
    ...common,
    id: 'LINK-SLUG-01',
    quote: derivationRule,
    title: 'The slug of the URL is the description in lower case.',
    check: async (context) => expectSlug(await context.use(newLink), asciiDescription(context).toLowerCase()),
  },
  {
    ...common,
    id: 'LINK-SLUG-02',
    title: 'When a link with the same slug exists, the slug of the second link ends with `-2`.',
    check: async (context) =>
      expectSlug(await context.use(sameDescriptionLink), `${asciiDescription(context).toLowerCase()}-2`),
  },
  {
    ...common,
    id: 'LINK-SLUG-03',
    title: 'A third link with the same slug gets its own number, even if its description differs in case.',
    check: async (context) => {
      const [first, second, third] = [
        await context.use(newLink),
        await context.use(sameDescriptionLink),
        await context.use(letterCaseLink),
      ];
      const url = third.record['url'];
      const slug = asciiDescription(context).toLowerCase();
      const isNumbered = urlPartsOf(third).some((part) => isNumberedSlug(part, slug));
      if (!isNumbered || url === first.record['url'] || url === second.record['url']) {
        throw new Violation(`\`data.url\` with the slug ${slug} and an unused number`, url, third.exchange);
      }
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-04',
    level: 'inferred',
    title: 'The slug of the third link ends with `-3`.',
    check: async (context) =>
      expectSlug(await context.use(letterCaseLink), `${asciiDescription(context).toLowerCase()}-3`),
  },
  {
    ...common,
    id: 'LINK-SLUG-05',
    title: 'A numbered slug is never given to two links.',
    check: async (context) => {
      // The description of the other link ends with `-2`, so it would yield the slug of the second link.
      const [second, other] = [await context.use(sameDescriptionLink), await context.use(numberedDescriptionLink)];
      expectOtherUrl(other, second);
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-06',
    title: 'The slug of a link that was paid is not given to another link.',
    check: async (context) => expectOtherUrl(await context.use(repeatedDescriptionLink), await context.use(paidLink)),
  },
  {
    ...common,
    id: 'LINK-SLUG-07',
    title: 'A slug gets a suffix only if it is taken, not if it is the beginning of other slugs.',
    check: async (context) => {
      const slug = shorterDescription(context).toLowerCase();
      expectSlug(await context.use(shorterLink), slug);
      expectSlug(await context.use(secondShorterLink), `${slug}-2`);
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-08',
    title: 'Links whose descriptions have no Latin letters have different URLs.',
    check: async (context) => expectOtherUrl(await context.use(cyrillicLink), await context.use(chineseLink)),
  },
  {
    ...common,
    id: 'LINK-SLUG-09',
    quote: derivationRule,
    title: 'The slug of a description that consists of digits begins with these digits.',
    check: async (context) => {
      const link = await context.use(largeLink);
      // Only the beginning is compared, because the specification does not say how long a slug may be.
      const beginning = String(link.body['description']).slice(0, 20);
      if (!urlPartsOf(link).some((part) => part.startsWith(beginning)))
        throw new Violation(
          `\`data.url\` with a slug that begins with ${beginning}`,
          link.record['url'],
          link.exchange,
        );
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-10',
    level: 'inferred',
    quote: derivationRule,
    title: 'The slug of a long description is the whole description in lower case.',
    check: async (context) => {
      const link = await context.use(largeLink);
      expectSlug(link, String(link.body['description']));
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-11',
    title: 'Two links with the same description that are created concurrently get different slugs.',
    check: async (context) => {
      const [first, second] = await context.use(concurrentLinks);
      expectOtherUrl(second, first);
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-12',
    title: 'A numbered slug that an earlier link got from its description is not given to another link.',
    check: async (context) => {
      const numbered = await context.use(numberedLink);
      for (const link of await context.use(concurrentLinks)) expectOtherUrl(link, numbered);
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-13',
    quote: derivationRule,
    title: 'A slug has no uppercase letters, not even non-ASCII ones.',
    check: async (context) => {
      const link = await context.use(unusualLink);
      const parts = urlPartsOf(link);
      // If no part has the text of the description, ASCII letters may be from another source, such as a random id.
      const slug =
        parts.find((part) => part.toLowerCase().includes(context.session.runId)) ??
        parts.join('/').replace(/[A-Z]/g, '');
      // The specification does not say whether non-ASCII letters are kept, replaced or left out. The hexadecimal digits
      // of an escape sequence may have either case.
      const upperCaseLetter = [...slug.normalize().replace(/%[0-9a-f]{2}/gi, '')].find(isUpperCase);
      if (upperCaseLetter !== undefined)
        throw new Violation(`\`data.url\` without the letter ${upperCaseLetter}`, link.record['url'], link.exchange);
    },
  },
  {
    ...common,
    id: 'LINK-SLUG-14',
    title: 'Links have different URLs, even if their descriptions differ only in that one has dashes for spaces.',
    check: async (context) => expectOtherUrl(await context.use(dashedLink), await context.use(freeTextLink)),
  },
];

function isUpperCase(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

/** @throws Violation if a link has the URL of an earlier one; Blocked if one of the two has no URL */
function expectOtherUrl(link: CreatedRecord, earlier: CreatedRecord): void {
  const url = urlOfCreated(link);
  if (url === urlOfCreated(earlier)) throw new Violation(`a \`data.url\` other than ${url}`, url, link.exchange);
}

/** True if a part of a URL is the slug followed by a dash and a number. */
function isNumberedSlug(part: string, slug: string): boolean {
  return part.startsWith(`${slug}-`) && /^\d+$/.test(part.slice(slug.length + 1));
}
