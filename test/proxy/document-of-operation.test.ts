import { expect, test } from 'vitest';
import { documentOfOperation } from '../../src/proxy/document-of-operation.js';

test('the document of an operation has the components that it refers to, whatever their names are', () => {
  const fine = { description: 'Fine.' };
  const document = documentOfOperation(
    {
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: {
        '/a': { get: { operationId: 'readA', responses: { 200: { $ref: '#/components/responses/constructor' } } } },
      },
      components: { responses: { constructor: fine, Other: fine } },
    },
    'readA',
  );
  expect(document.components?.responses).toEqual({ constructor: fine });
});
