import { describe, expect, test } from 'vitest';
import { followReference, resolveReference } from '../../src/lib/references.js';

const document = {
  paths: { '/invoices': { get: { operationId: 'listInvoices' } } },
  components: { responses: { Missing: { description: 'Missing.' } } },
};

describe('a reference', () => {
  test.each([
    ['#/components/responses/Missing', document.components.responses.Missing],
    ['#/paths/~1invoices/get', document.paths['/invoices'].get],
  ])('%s leads to its target', (reference, target) => {
    expect(followReference(document, reference)).toBe(target);
  });

  test('to a missing part is an error', () => {
    expect(() => followReference(document, '#/components/schemas/Amount')).toThrow(
      'the document has nothing at #/components/schemas/Amount',
    );
  });
});

describe('a part of a document', () => {
  const { responses } = document.components;

  test('stands for itself', () => {
    expect(resolveReference(responses, responses.Missing)).toBe(responses.Missing);
  });

  test('may be a reference to a component', () => {
    expect(resolveReference(responses, { $ref: '#/components/responses/Missing' })).toBe(responses.Missing);
  });

  test('may not refer to a component that does not exist', () => {
    expect(() => resolveReference(responses, { $ref: '#/components/responses/Other' })).toThrow('nothing at');
  });
});
