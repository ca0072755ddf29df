import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/openapi/profile.js';
import { tempFolder } from '../support/temp-folder.js';

/** A seed with a record of each kind, which the API could have created. */
export const seed = {
  currency: 'EUR',
  time_zone: 'UTC',
  customers: [
    {
      id: 1,
      name: 'Ada',
      email: 'ada@inn.example',
      company: null,
      phone: null,
      address: null,
      city: null,
      postal_code: null,
      country: null,
      currency: null,
    },
  ],
  invoices: [
    {
      id: 1,
      invoice_number: 'A-1',
      reference: null,
      customer_id: 1,
      status: 'sent',
      date: '0',
      due_date: '8d',
      notes: null,
      items: [{ description: 'Room', quantity: 1, unit_price: 80, tax_rate: 7 }],
      subscription: null,
    },
  ],
  payment_links: [{ id: 1, description: 'Breakfast', amount: 10, is_active: true, created: '-8d' }],
  payments: [
    {
      id: 1,
      payment_link_id: 1,
      customer_id: 1,
      amount: 10,
      status: 'paid',
      payment_method: 'card',
      created: '-2h',
      paid: '-2h',
    },
  ],
  deposits: [
    {
      id: 1,
      booking_reference: 'BK-1',
      amount: 300,
      customer: null,
      check_in_date: '1d',
      check_out_date: '3d',
      metadata: {},
      status: 'partially_captured',
      created: '-1h',
      authorized: '-1h',
      captures: [{ amount: 20, description: null, at: '0' }],
    },
  ],
};

/**
 * Writes the seed to a JSON file with the first occurrence of a text replaced. Each key is on a separate line.
 * @returns path of the file
 */
export function writeSeed(text: string, replacement: string): string {
  const json = JSON.stringify(seed, undefined, 2);
  expect(json).toContain(text);
  const path = join(tempFolder(), 'seed.json');
  writeFileSync(path, json.replace(text, replacement));
  return path;
}

/** Reads a seed file. @returns the error message without the path of the file, or `the seed was accepted` */
export async function outcomeOf(path: string, choices?: Choices): Promise<string> {
  const error: unknown = await readSeed(path, choices).then(
    () => 'the seed was accepted',
    (reason: unknown) => reason,
  );
  return String(error).replace(`FileError: ${path}:`, '');
}
