import type { Clause } from '../../engine/clause.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import type { Created } from '../invoice-creation/setups.js';
import { newLink, otherCaseLink, sameLink, slugText, suffixLink } from '../payment-links/setups.js';

const creation = {
  operation: 'createPaymentLink',
  spec: 'POST /payment-links',
  quote: '2. When a link with the same slug exists, a numeric suffix is appended to the slug, starting with `-2`.',
} as const;

/** Path segments of a link's URL, one of which is its slug. */
function partsOf({ record, exchange }: Created): string[] {
  const { url } = record;
  if (typeof url !== 'string') throw new Blocked('the creation has shown no `url`', exchange);
  try {
    return decodeURI(url).split(/[/?&=#]/);
  } catch {
    return url.split(/[/?&=#]/);
  }
}

function expectSlug(link: Created, slug: string): void {
  if (!partsOf(link).includes(slug)) {
    throw new Violation(`\`data.url\` with the slug ${slug}`, link.record['url'], link.exchange);
  }
}

/** The slugs in the URLs of payment links: rules 1 and 2. */
export const linkSlugClauses: readonly Clause[] = [
  {
    id: 'LINK-SLUG-01',
    level: 'documented',
    ...creation,
    quote: '1. The URL slug is derived from `description` by lower-casing it.',
    title: 'The slug of the URL is the description in lower case.',
    check: async (context) => expectSlug(await context.use(newLink), slugText(context).toLowerCase()),
  },
  {
    id: 'LINK-SLUG-02',
    level: 'documented',
    ...creation,
    title: 'When a link with the same slug exists, the slug ends with `-2`.',
    check: async (context) => expectSlug(await context.use(sameLink), `${slugText(context).toLowerCase()}-2`),
  },
  {
    id: 'LINK-SLUG-03',
    level: 'documented',
    ...creation,
    title: 'A slug that already exists gets a new number, even if the descriptions differ in case.',
    check: async (context) => {
      const [first, second, third] = [
        await context.use(newLink),
        await context.use(sameLink),
        await context.use(otherCaseLink),
      ];
      const url = third.record['url'];
      const isNumbered = partsOf(third).some(
        (part) => numberAfter(slugText(context).toLowerCase(), part) !== undefined,
      );
      if (!isNumbered || url === first.record['url'] || url === second.record['url']) {
        const slug = slugText(context).toLowerCase();
        throw new Violation(`\`data.url\` with the slug ${slug} and a number that is free`, url, third.exchange);
      }
    },
  },
  {
    id: 'LINK-SLUG-04',
    level: 'inferred',
    ...creation,
    title: 'The number after `-2` is `-3`.',
    check: async (context) => expectSlug(await context.use(otherCaseLink), `${slugText(context).toLowerCase()}-3`),
  },
  {
    id: 'LINK-SLUG-05',
    level: 'documented',
    ...creation,
    title: 'A numbered slug is never given to two links.',
    check: async (context) => {
      const [second, own] = [await context.use(sameLink), await context.use(suffixLink)];
      const url = own.record['url'];
      if (url === second.record['url']) throw new Violation(`a \`data.url\` other than ${url}`, url, own.exchange);
    },
  },
];

function numberAfter(slug: string, part: string): string | undefined {
  return part.startsWith(`${slug}-`) ? /^\d+$/.exec(part.slice(slug.length + 1))?.[0] : undefined;
}
