import { describe, expect, test } from 'vitest';
import { followReference, resolveReference } from '../../src/lib/references.js';

const document = {
  paths: { '/invoices': { get: { operationId: 'listInvoices' } } },
  components: { responses: { NotFound: { description: 'Not found.' } } },
};

describe('a reference', () => {
  test.each([
    ['#/components/responses/NotFound', document.components.responses.NotFound],
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

  test('that is not a reference is returned unchanged', () => {
    expect(resolveReference(responses, responses.NotFound)).toBe(responses.NotFound);
  });

  test('that is a reference is replaced by its component', () => {
    expect(resolveReference(responses, { $ref: '#/components/responses/NotFound' })).toBe(responses.NotFound);
  });

  test('that refers to a component that does not exist is an error', () => {
    expect(() => resolveReference(responses, { $ref: '#/components/responses/Other' })).toThrow(
      'the document has nothing at #/components/responses/Other',
    );
  });
});
