import { BodyFields } from './body-fields.js';
import { centsOf, isWholeCents } from './decimals.js';
import { ok, pageOf } from './listing.js';
import { linkView, listedLinkView } from './views.js';
import { type Handler, type Link, nextId, type World } from './world.js';

/** Derives the slug of a link, the last part of its URL, from its description. */
function slugOf({ choices, fault }: World, description: string): string {
  const lowerCase =
    fault === 'slug-lower-cases-only-ascii'
      ? description.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      : description.toLowerCase();
  const text = fault === 'slug-upper-case' ? description : lowerCase;
  if (choices.slug === 'percent') return encodeURIComponent(text.toWellFormed());
  if (choices.slug === 'underscores') return text.replace(/[^a-z0-9-]/gi, '_');
  const withoutAccents = text.normalize('NFD').replace(/\p{M}/gu, '');
  const slug = withoutAccents.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '');
  return slug === '' && fault !== 'slug-suffix-none-if-empty' ? 'link' : slug;
}

/** Derives a slug that no other link has, with a numeric suffix if it needs one. */
function freeSlug(world: World, description: string): string {
  const { fault } = world;
  const slug = slugOf(world, description);
  const comparedLinks = [...world.links.values()].filter(
    (link) => fault !== 'slug-suffix-case-sensitive' || link.description === description,
  );
  const isTaken = (candidate: string): boolean =>
    comparedLinks.some(({ slug: taken }) =>
      fault === 'slug-taken-by-longer-slug' ? taken.startsWith(candidate) : taken === candidate,
    );
  const needsSuffix =
    fault === 'slug-equal-to-suffixed-slug'
      ? comparedLinks.some((link) => link.slug === slug && slugOf(world, link.description) === slug)
      : isTaken(slug);
  if (!needsSuffix || slug === '' || fault === 'slug-suffix-none') return slug;
  const separator = fault === 'slug-suffix-underscore' ? '_' : '-';
  let number = fault === 'slug-suffix-from-1' ? 1 : 2;
  while (isTaken(`${slug}${separator}${number}`) && fault !== 'slug-suffix-repeats') number += 1;
  return `${slug}${separator}${number}`;
}

type NewLink = Pick<Link, 'description' | 'amount'> & Partial<Link>;

export function storeLink(world: World, fields: NewLink): Link {
  const link: Link = {
    id: nextId(world.links),
    slug: freeSlug(world, fields.description),
    currency: 'EUR',
    createdAt: Date.now(),
    isActive: true,
    ...fields,
  };
  world.links.set(link.id, link);
  return link;
}

export const createLink: Handler = (world, { body }) => {
  const { choices, fault } = world;
  const fields = new BodyFields(world, 'link-create', body);
  const description = fields.text('description');
  const amount = fields.number('amount');
  const requestedCurrency = fields.optionalText('currency') ?? (fault === 'link-currency-usd' ? 'USD' : 'EUR');
  const currency = fault === 'link-currency-ignored' ? 'EUR' : requestedCurrency;
  const isAllowedCurrency = choices.otherCurrency === 'refused' ? currency === 'EUR' : /^[A-Z]{3}$/.test(currency);
  if (!isAllowedCurrency) fields.addProblem('currency', 'notAllowed');
  if (choices.invalidAmount === 'refused' && (amount <= 0 || !isWholeCents(amount)))
    fields.addProblem('amount', 'positiveCents');
  const [minimum, maximum] = choices.linkAmounts;
  if (amount < minimum) fields.addProblem('amount', 'belowMinimum');
  if (amount > maximum) fields.addProblem('amount', 'notAllowed');
  if (fault === 'link-created-although-refused' && description !== '' && body['amount'] === undefined)
    storeLink(world, { description, amount: 0 });
  fields.throwIfInvalid();
  const first = [...world.links.values()].find((link) => link.description === description);
  const cents =
    fault === 'link-amount-of-equal-description' && first !== undefined
      ? first.amount
      : centsOf(fault === 'link-amount-truncated' ? Math.trunc(amount) : amount) /
        (fault === 'link-yen-in-hundredths' && currency === 'JPY' ? 100 : 1);
  return ok(world, linkView(world, storeLink(world, { description, amount: cents, currency })), choices.createdStatus);
};

export const listLinks: Handler = (world, { query }) => {
  const links = [...world.links.values()];
  const shown = world.fault === 'link-not-listed' ? links.slice(0, -1) : links;
  return pageOf(world, 'link-list', query, shown, (link) => listedLinkView(world, link));
};
