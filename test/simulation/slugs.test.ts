import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../src/domain/slugs.js';
import { startSimulator } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { unicodeCharacter } from '../support/unicode-character.js';
import { emptyWorld, openAccount } from './world.js';

/** Descriptions, many of them with colliding slugs. Some slugs end like a slug with a suffix. */
const description = fc.oneof(
  fc.constantFrom('Night', 'night', 'NIGHT!', 'night-2', 'Night 2', 'night-3', 'night-2-2', 'Night-02', '🚀', 'link'),
  fc.constantFrom('inv_1', 'INV_2', 'inv_1-2', 'link-2', '!', ' '),
  fc.string({ unit: unicodeCharacter, minLength: 1, maxLength: 5 }),
);

const slugChoices = fc.constantFrom('dashes', 'percent-encoded');

/**
 * The rule of the specification, implemented again: the slug, or the slug with the first free suffix from -2 on. Slugs
 * such as `inv_1` are never free, since they belong to invoices.
 */
function firstFreeSlug(slug: string, usedSlugs: ReadonlySet<string>): string {
  const isFree = (candidate: string): boolean => !usedSlugs.has(candidate) && !/^inv_\d+$/.test(candidate);
  if (isFree(slug)) return slug;
  let suffix = 2;
  while (!isFree(`${slug}-${suffix}`)) suffix += 1;
  return `${slug}-${suffix}`;
}

describe('links with any descriptions', () => {
  it('get the slug of the description, or the slug with the first free suffix from -2 on', async () => {
    await fc.assert(
      fc.asyncProperty(slugChoices, fc.array(description, { maxLength: 30 }), async (choice, descriptions) => {
        const world = await emptyWorld();
        const account = openAccount(world, 'demo', { 'link.slug': choice });
        const usedSlugs = new Set<string>();
        const expected = descriptions.map((text) => {
          const slug = firstFreeSlug(slugOf(text, account.profile), usedSlugs);
          usedSlugs.add(slug);
          return slug;
        });
        const links = descriptions.map((text) =>
          createPaymentLink(account, { description: text, amount: 1, currency: 'EUR' }, world.accounts),
        );
        expect(links.map(({ slug }) => slug)).toEqual(expected);
      }),
    );
  });

  it('get slugs that are unique among all accounts under link.slug-scope: global', async () => {
    const links = fc.array(fc.tuple(fc.boolean(), description), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(slugChoices, links, async (choice, requested) => {
        const world = await emptyWorld();
        const choices = { 'link.slug': choice, 'link.slug-scope': 'global' };
        const [first, second] = [openAccount(world, 'first', choices), openAccount(world, 'second', choices)];
        const slugs = requested.map(([isFirstAccount, text]) => {
          const input = { description: text, amount: 1, currency: 'EUR' } as const;
          return createPaymentLink(isFirstAccount ? first : second, input, world.accounts).slug;
        });
        expect(new Set(slugs).size).toBe(slugs.length);
      }),
    );
  });

  it('get the slugs of a deleted account under link.slug-scope: global', async () => {
    const world = await emptyWorld();
    const openGlobalAccount = (id: string) => openAccount(world, id, { 'link.slug-scope': 'global' });
    const [first, second] = [openGlobalAccount('first'), openGlobalAccount('second')];
    const addLink = (account: Account): string =>
      createPaymentLink(account, { description: 'Night', amount: 1, currency: 'EUR' }, world.accounts).slug;
    expect([addLink(first), addLink(second), addLink(first)]).toEqual(['night', 'night-2', 'night-3']);
    world.accounts.remove(second);
    expect(addLink(first)).toBe('night-2');
  });

  it('of a seed get slugs that no other account has under link.slug-scope: global, and the same ones after a reset', async () => {
    const payment_links = ['Night', 'night'].map((text, index) => ({
      id: index + 1,
      description: text,
      amount: 1,
      is_active: true,
      created: '-1d',
    }));
    const world = await emptyWorld();
    const [first, second] = ['first', 'second'].map((id) =>
      openAccount(world, id, { 'link.slug-scope': 'global' }, { payment_links }),
    );
    const slugsOf = (account: Account | undefined) => account?.paymentLinks.rows.map(({ slug }) => slug);
    expect([slugsOf(first), slugsOf(second)]).toEqual([
      ['night', 'night-2'],
      ['night-3', 'night-4'],
    ]);
    expect(first && slugsOf(world.accounts.reset(first))).toEqual(['night', 'night-2']);
  });

  it('get slugs that are unique only within their account by default', async () => {
    const world = await emptyWorld();
    const slugs = ['first', 'second'].map((id) => {
      const account = openAccount(world, id);
      return createPaymentLink(account, { description: 'Night', amount: 1, currency: 'EUR' }, world.accounts).slug;
    });
    expect(slugs).toEqual(['night', 'night']);
  });

  it('of a seed get unique slugs, too', async () => {
    await fc.assert(
      fc.asyncProperty(slugChoices, fc.array(description, { maxLength: 10 }), async (choice, descriptions) => {
        const payment_links = descriptions.map((text, index) => ({
          id: index + 1,
          description: text,
          amount: 1,
          is_active: true,
          created: '-1d',
        }));
        const account = openAccount(await emptyWorld(), 'demo', { 'link.slug': choice }, { payment_links });
        const usedSlugs = new Set<string>();
        for (const { slug, description: text } of account.paymentLinks.rows) {
          expect(slug).toBe(firstFreeSlug(slugOf(text, account.profile), usedSlugs));
          usedSlugs.add(slug);
        }
      }),
    );
  });
});

describe('links created at the same time over HTTP', () => {
  it('have different slugs, with consecutive suffixes', async () => {
    const simulator = await startSimulator({ seed: 'empty', rateLimit: false });
    const create = async (text: string): Promise<string> => {
      const response = await fetch(`${simulator.baseUrl}/payment-links`, {
        method: 'POST',
        headers: { authorization: 'Bearer demo_write', 'content-type': 'application/json' },
        body: JSON.stringify({ description: text, amount: 1 }),
      });
      return response.text();
    };
    const bodies = await Promise.all(Array.from({ length: 40 }, (_, index) => create(index % 2 ? 'Night' : 'NIGHT')));
    await simulator.close();

    const slugs = bodies.map((body) => /\/pay\/([^"]+)"/.exec(body)?.[1]);
    const expected = ['night', ...Array.from({ length: 39 }, (_, index) => `night-${index + 2}`)];
    expect(slugs.sort()).toEqual(expected.sort());
  });
});
